import json
import os
import re
import shlex
import sqlite3
from io import BytesIO

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import ramify
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.match import plan_match
from ramify.arena.matches.rows import COLUMNS, GAME_TABLE, stored_rows
from ramify.arena.matches.session import MatchSession
from ramify.arena.matches.tournament import plan_tournament
from ramify.arena.reports import charts
from ramify.arena.reports.document import Details, Paragraph, Table, Thumbnail, as_html, as_markdown, flat
from ramify.arena.reports.run_command import run_command
from ramify.arena.reports.run_report import write_report
from ramify.arena.reports.summary import summarize
from ramify.cli.main import app
from ramify.errors import RamifyError
from ramify.runs.pools.pool import InProcessPool
from ramify.runs.seeds import derive
from ramify.runs.store import Reader, Store
from ramify.statistics.inference import Interval
from ramify.statistics.pairs import PairedResults
from ramify.statistics.ratings import bradley_terry
from ramify.statistics.sprt import Sprt
from tests.arena.games_for_tests import DICE, short_plan
from tests.images import on_the_border


def played(plan, path):
    with MatchSession(plan, path) as sitting:
        sitting.run(lambda _: InProcessPool())
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def match(folder):
    return played(short_plan(games=12), folder / "match.db")


@pytest.fixture(scope="module")
def cup(folder):
    agents = {"plain": "uct", "wide | <b>": "uct(c=2)", "$none$": "uct(c=0)"}
    plan = plan_tournament(["tictactoe", "connect4"], agents, limits=PlayerLimits(10), count=4, seed=1)
    return played(plan, folder / "cup.db")


@pytest.fixture
def undrawn(monkeypatch):
    """For tests of words: drawing takes most of a report's time."""
    for name in ("cross_table", "ratings", "lengths", "pair_scores"):
        monkeypatch.setattr(charts, name, lambda *_: b"drawn elsewhere")


def pages(*runs, out):
    written = write_report(list(runs), out)
    return written, written.html.read_text("utf-8"), written.markdown.read_text("utf-8")


def test_a_match_is_reported(match, tmp_path):
    written, html, markdown = pages(match, out=tmp_path / "new" / "folder")
    for text in (html, markdown):
        assert "12 of 12 games; 12 count, in 6 finished pairs" in text
        assert "20 simulations per move" in text
        assert "Unfinished" not in text
    assert sorted(path.name for path in written.pictures) == [
        "1-tictactoe-lengths.png",
        "1-tictactoe-pairs.png",
        "1-tictactoe-scores.png",
    ]
    for path in written.pictures:
        assert f"({path.name})" in markdown
        with Image.open(path) as drawn:
            assert drawn.size[0] > 300


@pytest.fixture(scope="module")
def cup_pages(cup, folder):
    return pages(cup, out=folder / "cup")


def test_the_html_needs_nothing_else(cup_pages):
    _, html, _ = cup_pages
    sources = re.findall(r'(?:src|href)="([^"]{0,40})', html)
    assert len(sources) == 6
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    assert "http" not in re.sub(r'src="[^"]*"', "", html)


def test_the_numbers_are_those_of_the_tournament(cup, cup_pages):
    with Reader(cup, GAME_TABLE) as reader:
        summary = summarize(reader)
    result = ramify.tournament(
        ["tictactoe", "connect4"], ["uct", "uct(c=2)", "uct(c=0)"], simulations=10, games_each=4, seed=1, workers=0
    )
    assert [one.results for one in summary.standings] == [one.results for one in result.standings]
    for game, pool in summary.ratings.items():
        assert pool.elo == pytest.approx(result.ratings[game].elo)
    _, html, markdown = cup_pages
    for p in result.p_values:
        assert f"<td>{p:.4f}</td>" in html
        assert f"| {p:.4f} |" in markdown


def test_labels_cannot_break_the_page(cup_pages):
    _, html, markdown = cup_pages
    assert "<b>" not in html
    assert "wide \\| \\<b>" in markdown
    assert "labels need a file" in html


def test_lengths_and_spending_add_up(match):
    with Reader(match, GAME_TABLE) as reader:
        summary, rows = summarize(reader), list(stored_rows(reader))
    lengths = summary.lengths["tictactoe"]
    assert lengths.plies == [row.plies for row in rows]
    assert lengths.simulations == [sum(row.simulations) for row in rows]
    assert sum(spent.simulations for spent in summary.spent.values()) == sum(lengths.simulations)
    assert sum(spent.seats for spent in summary.spent.values()) == 24


def test_the_command_gives_the_same_run(folder, match):
    with Reader(match, GAME_TABLE) as reader:
        command, notes = run_command(reader.description(), summarize(reader).pairings)
        before = [one.moves for one in stored_rows(reader)]
    assert notes == []
    again = folder / "again.db"
    words = shlex.split(command)[1:]
    assert CliRunner().invoke(app, [*words, "--workers", "0", "--run", str(again)]).exit_code == 0
    with Reader(again, GAME_TABLE) as reader:
        assert [one.moves for one in stored_rows(reader)] == before


def test_commands_say_forms_tests_and_positions(folder, cup):
    with Reader(cup, GAME_TABLE) as reader:
        description, pairings = reader.description(), summarize(reader).pairings
    command, _ = run_command(description | {"kind": "gauntlet", "positions": "abc"}, pairings)
    assert "--game tictactoe --game connect4 --agent uct --agent 'uct(c=2)' --agent 'uct(c=0)' --gauntlet" in command
    assert "--games 4 --opening-plies 2 --openings FILE --seed 1" in command
    test = {"elo0": -5.0, "elo1": 2.5, "alpha": 0.05, "beta": 0.1, "model": "logistic"}
    assert (
        "--sprt -5 2.5 --alpha 0.05 --beta 0.1 --model logistic"
        in run_command(description | {"sprt": test}, pairings)[0]
    )
    assert run_command(description | {"kind": "swiss"}, pairings)[0] is None
    assert run_command(description | {"budgets": [{"calls": 1}, {"calls": 2}, {"calls": 1}]}, pairings)[0] is None
    assert "games will differ" in run_command(description | {"budgets": [{"seconds": 0.5}] * 3}, pairings)[1][-1]


def test_an_unfinished_run_says_so(folder, tmp_path, undrawn):
    plan, run = short_plan(games=8), folder / "unfinished.db"
    played(short_plan(games=4), run)
    with MatchSession(plan, run):
        pass
    with sqlite3.connect(run) as connection:
        connection.execute("DELETE FROM games WHERE number = 4")
    connection.close()
    _, html, markdown = pages(run, out=tmp_path)
    assert "Unfinished: 3 of 8 games" in html
    assert "**Unfinished: 3 of 8 games" in markdown
    assert "3 count, in 1 finished pairs" in html


def test_a_run_without_a_finished_pair_is_reported(folder, tmp_path):
    run = played(short_plan(games=2), folder / "single.db")
    with sqlite3.connect(run) as connection:
        connection.execute("DELETE FROM games WHERE number = 2")
    connection.close()
    assert "in 0 finished pairs" in pages(run, out=tmp_path)[1]


def test_sequential_tests_have_no_p_value(folder, tmp_path, undrawn):
    run = played(short_plan(games=6, test=Sprt(0, 10)), folder / "sprt.db")
    _, html, _ = pages(run, out=tmp_path)
    assert "LLR" in html
    assert "for all 0 comparisons of this report" in html


def test_blocks_of_three_players_and_several_runs(folder, match, tmp_path, undrawn):
    rules = folder / "dice.py"
    rules.write_text(DICE)
    plan = plan_match(str(rules), "uct", "uct(c=2)", limits=PlayerLimits(5), games=12, seed=1)
    run = played(plan, folder / "dice.db")
    written, html, _ = pages(run, match, out=tmp_path)
    assert "12 of 12 games; 12 count, in 2 finished pairs" in html
    assert "for all 2 comparisons of this report" in html
    assert len(written.pictures) == len(set(written.pictures)) == 6


def test_a_run_in_memory_is_reported(tmp_path, undrawn):
    with MatchSession(short_plan(games=2)) as sitting:
        sitting.run(lambda _: InProcessPool())
        assert "2 of 2 games" in pages(sitting.store, out=tmp_path)[1]


def test_mistakes_get_a_sentence(match, folder, tmp_path, undrawn):
    text = tmp_path / "notes.txt"
    text.write_text("not a run, but long enough to be looked at" * 20)
    with pytest.raises(RamifyError, match="is not a run of Ramify"):
        write_report(text, tmp_path)
    with pytest.raises(RamifyError, match="there is no file"):
        write_report(tmp_path / "nothing.db", tmp_path)
    Store(tmp_path / "empty.db", short_plan().description() | {"seed": 1}, GAME_TABLE).close()
    with pytest.raises(RamifyError, match="no finished game yet"):
        write_report(tmp_path / "empty.db", tmp_path)
    Store(tmp_path / "strange.db", {"kind": "match"}, GAME_TABLE).close()
    with pytest.raises(RamifyError, match=r"is damaged \(its description is incomplete\)"):
        write_report(tmp_path / "strange.db", tmp_path)
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(match.read_bytes())
    with sqlite3.connect(damaged) as connection:
        connection.execute("DROP TABLE games")
    connection.close()
    with pytest.raises(
        RamifyError,
        match=r"damaged\.db is damaged \(no such table: games\); .* --salvage NEW.db",
    ):
        write_report(damaged, tmp_path)
    with pytest.raises(RamifyError, match="a report needs a run"):
        write_report([], tmp_path)
    with pytest.raises(RamifyError, match=r"notes\.txt is a file: choose a folder"):
        write_report(match, text)
    with pytest.raises(RamifyError, match="cannot write"):
        write_report(match, text / "below")
    (tmp_path / "blocked" / "report.html").mkdir(parents=True)
    with pytest.raises(RamifyError, match="cannot write the report to"):
        write_report(match, tmp_path / "blocked")
    if os.geteuid():  # root may write everywhere
        (tmp_path / "closed").mkdir(mode=0o500)
        with pytest.raises(RamifyError, match="not a folder that can be written"):
            write_report(match, tmp_path / "closed")


def test_the_command_line_lists_the_files(match, tmp_path, undrawn):
    words = ["report", str(match), "--out", str(tmp_path)]
    assert "1-tictactoe-scores.png" in CliRunner().invoke(app, words).stdout
    data = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert data["html"].endswith("report.html")
    assert len(data["pictures"]) == 3


def test_ten_thousand_games_make_a_small_page(match, folder, tmp_path):
    with Reader(match, GAME_TABLE) as reader:
        description, records = reader.description(), list(reader.records())
    copies = []
    for k in range(10_000):
        pair_seed = derive(description["seed"], 0, k // 2)
        planned = {"number": k + 1, "pair": k // 2, "pair_seed": pair_seed, "seed": derive(pair_seed, k % 2)}
        copies.append(tuple((dict(zip(COLUMNS, records[k % 12], strict=True)) | planned).values()))
    store = Store(folder / "large.db", description | {"pairs": 5_000}, GAME_TABLE)
    store.add(copies)
    store.close()
    written, html, _ = pages(folder / "large.db", out=tmp_path)
    assert "10,000 of 10,000 games" in html
    assert written.html.stat().st_size < 200_000


@pytest.mark.parametrize("size", [2, 12, 20])
def test_cross_tables_of_many_sizes(size):
    cells = {(0, k): Interval(k / size, 0.0, 1.0) for k in range(1, size)}
    drawn = Image.open(BytesIO(charts.cross_table([f"mcts(c={k}, {'x' * 60})" for k in range(size)], cells)))
    assert 400 < drawn.size[0] < 2_500


@pytest.mark.parametrize("columns", [1, 3])
def test_long_titles_are_broken_where_the_axes_end(columns):
    @charts.picture
    def drawn(figure):
        figure.set_size_inches(2.5 * columns, 2.5)
        for axes in figure.subplots(1, columns, squeeze=False)[0]:
            axes.set_title("a title that is longer than the axes are wide, with averyveryveryverylongword")

    assert not on_the_border(drawn())


@pytest.mark.parametrize("values", [[3], [0.5] * 4, list(range(500))])
def test_any_distribution_can_be_drawn(values):
    assert charts.lengths(values, values, values).startswith(b"\x89PNG")


@pytest.mark.parametrize("whole", [True, False])
def test_bins_leave_nothing_out(whole):
    for seed in range(50):
        values = np.random.default_rng(seed).exponential(10.0 ** (seed % 5 - 2), 30)
        values = np.ceil(values) if whole else values
        assert np.histogram(values, charts.bins(values, whole))[0].sum() == 30


def test_drawing_leaves_nothing_behind():
    before = dict(mpl.rcParams)
    charts.pair_scores({0.0: 1, 0.5: 3})
    charts.ratings(bradley_terry({("東京", "b$x$"): PairedResults.from_counts([1, 0, 2, 0, 1])}))
    assert dict(mpl.rcParams) == before


def test_documents_escape():
    blocks = [Paragraph("a < b"), Table(["x|y"], [["*1*"]])]
    assert "a &lt; b" in as_html(blocks, "t")
    assert as_markdown(blocks) == "a \\< b\n\n| x\\|y |\n| --- |\n| \\*1\\* |\n"


def test_documents_fold_and_show_small_pictures():
    small = Thumbnail("a.png", 'x|y "z"')
    blocks = [Details("more < less", [Paragraph("inside"), Details("deeper", [Table(["x"], [[small]])])])]
    assert [type(block).__name__ for block in flat(blocks)] == ["Details", "Paragraph", "Details", "Table"]
    picture = '<a href="a.png"><img src="a.png" alt="x&#124;y &quot;z&quot;" width="150"></a>'
    markdown = as_markdown(blocks)
    assert f"| {picture} |" in markdown
    assert markdown.startswith('<details markdown="1">\n<summary>more &lt; less</summary>\n\ninside\n')
    assert markdown.count("</details>") == 2
    assert picture in as_html(blocks, "t")
    assert "<summary>deeper</summary>" in as_html(blocks, "t")
