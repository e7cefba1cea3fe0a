"""Kilothon: many games with one minute each (section 8, table 6 and figure 4), and our own agent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

from ramify.arena.kilothon.categories import CATEGORIES, categories
from ramify.arena.kilothon.contest_game import GAME_SECONDS
from ramify.experiments.figures.forest import forest
from ramify.experiments.framework import published
from ramify.experiments.framework.claims import OURS, Claim, Test, above, judge, unmeasured
from ramify.experiments.framework.estimates import CONFIDENCE, Estimate, format_interval, share, share_difference
from ramify.experiments.framework.experiment import Experiment, Part, Point, PointResult, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.putrich_2023.paper import PAPER
from ramify.experiments.papers.putrich_2023.players import READINGS, SHOT, SQRT_HALVING, UCT
from ramify.experiments.trials.kilothon_games import KilothonGames
from ramify.statistics.bootstrap import bootstrap_mean
from ramify.statistics.inference import Interval

UCT_CBT, SQRT_HALVING_CBT, OUR_AGENT = "UCT with cbt", "UCT-sqrt-SH with cbt", "ramify_kilothon"
OFFICIAL = "_official"  # end of the names of the contest's entrants in the published table
DIAMONDS = "diamonds: published"


def _timed(name: str, timing: str) -> str:
    return READINGS["program"][name][:-1] + f", timing={timing})"


AGENTS = {
    UCT: _timed(UCT, "fixed(seconds_per_move=0.5)"),
    UCT_CBT: _timed(UCT, "bonus(min_seconds=0.5, max_seconds=2.0)"),
    SQRT_HALVING: _timed(SQRT_HALVING, "fixed(seconds_per_move=0.5)"),
    SQRT_HALVING_CBT: _timed(SQRT_HALVING, "bonus(min_seconds=0.5, max_seconds=2.0)"),
    SHOT: _timed(SHOT, "fixed(seconds_per_move=0.5)").replace("=shot", "=shot(warm_up=breadth_first)"),
    OUR_AGENT: "ramify_kilothon",
}
ROWS = {  # names in the published table
    UCT: "uct",
    UCT_CBT: "uct_cbt",
    SQRT_HALVING: "uct_sqrt_sh",
    SQRT_HALVING_CBT: "uct_sqrt_sh_cbt",
    SHOT: "shot",
}
STATEMENTS = statements("putrich_2023")
READING = "other games than Ludii's"  # of all claims here; the paper's are about Ludii's games
CLEAR = {  # statements: first above second; the published intervals do not overlap
    "table-6-sqrt-sh": (SQRT_HALVING, UCT),
    "table-6-cbt-uct": (UCT_CBT, UCT),
    "table-6-cbt-sqrt-sh": (SQRT_HALVING_CBT, SQRT_HALVING),
    "table-6-cbt-both": (SQRT_HALVING_CBT, UCT_CBT),
    "table-6-above-shot": (SQRT_HALVING, SHOT),
}
FIGURE = ("hunt", "race", "sow", "space", "war")


def key(agent: str, game: str) -> str:
    return f"{agent} at {game}"


def points(minute: float, trials: int, games: Sequence[str] = ()) -> list[Point]:
    """Return every agent at every game. All agents share their random numbers at one game."""
    return [
        Point(key(agent, game), KilothonGames(game, category, text, minute), trials, stream=game)
        for game, category in categories().items()
        if not games or game in games
        for agent, text in AGENTS.items()
    ]


class KilothonResults:
    """Results by agent and game."""

    def __init__(self, results: Results) -> None:
        chosen = results.sizes.get("games", ())
        self.games = {game: one for game, one in categories().items() if not chosen or game in chosen}
        self.agents = [agent for agent in AGENTS if any(key(agent, game) in results for game in self.games)]
        self.cells = {(agent, game): results[key(agent, game)] for agent in self.agents for game in self.games}

    def payoffs(self, agent: str) -> dict[str, float]:
        """Mean payoff of each game that did not fail."""
        return {game: _mean(self.cells[agent, game]) for game in self.games if self._played(agent, game)}

    def _played(self, agent: str, game: str) -> int:
        cell = self.cells[agent, game]
        return cell.trials - int(cell.total("failed"))

    def payoff(self, agent: str) -> Estimate:
        """Mean payoff over games, with a bootstrap interval."""
        return _bootstrapped(list(self.payoffs(agent).values()))

    def contests(self, agent: str) -> list[float]:
        """Mean payoff of each contest: one trial of every game, without those that failed."""
        cells = [self.cells[agent, game].chunks for game in self.games]
        rows = [[cell[trial] for cell in cells] for trial in sorted(set.intersection(*map(set, cells)))]
        played = [[row["payoff"] for row in contest if not row["failed"]] for contest in rows]
        return [sum(payoffs) / len(payoffs) for payoffs in played if payoffs]

    def best_contest(self, agent: str) -> float:
        return max(self.contests(agent), default=math.nan)

    def lead(self, one: str, other: str) -> Estimate:
        """Difference of two payoffs, over the games that both played."""
        first, second = self.payoffs(one), self.payoffs(other)
        return _bootstrapped([first[game] - second[game] for game in first if game in second])

    def total(self, agent: str, *path: str) -> float:
        return float(sum(self.cells[agent, game].total(*path) for game in self.games))

    def outcomes(self, agent: str, category: str) -> tuple[float, float]:
        """Games won and lost in a category."""
        cells = [self.cells[agent, game] for game, one in self.games.items() if one == category]
        won, lost = (float(sum(cell.total(name) for cell in cells)) for name in ("won", "lost"))
        return won, lost

    def winning(self, agent: str, category: str) -> Estimate | None:
        """Share of wins among games won or lost, or None without such games."""
        won, lost = self.outcomes(agent, category)
        return share(won, won + lost) if won + lost else None

    def causes(self) -> dict[str, int]:
        """Count every forfeit and failure by its cause."""
        found: dict[str, int] = {}
        for (agent, game), cell in self.cells.items():
            for cause, count in cell.total("causes").items():
                found[f"{agent} at {game}: {cause}"] = int(count)
        return found


def _mean(cell: PointResult) -> float:
    return float(cell.total("payoff")) / (cell.trials - int(cell.total("failed")))


def _bootstrapped(values: Sequence[float]) -> Estimate:
    return Estimate.from_function(partial(bootstrap_mean, values, grain=2 / max(1, len(values))))


def findings(results: Results) -> Findings:
    """Return table 6 and figure 4, verdicts where the published intervals are clear, and our agent's payoff."""
    parts = (_table_6(results), _figure_4(results), _table_5(results))
    found = KilothonResults(results)
    causes = [f"{count} x {cause}" for cause, count in found.causes().items()]
    failures = "Forfeits and failures: " + ("; ".join(causes) if causes else "none") + "."
    return Findings([one for part in parts for one in part.exhibits], [failures, *NOTES])


def _table_6(results: Results) -> Findings:
    found = KilothonResults(results)
    tables, figures = [_payoffs(found), _spent(found)], [_payoff_figure(found)]
    exhibit = Exhibit("Table 6", "payoffs against the stock UCT", _payoff_claims(found), tables, figures)
    return Findings([exhibit], NOTES)


def _figure_4(results: Results) -> Findings:
    found = KilothonResults(results)
    tables, figures = [_by_category(found)], [_figure(found)]
    return Findings([Exhibit("Figure 4", "wins by category", _category_claims(found), tables, figures)], NOTES)


def _table_5(results: Results) -> Findings:
    """Compare our own agent with the official table."""
    found = KilothonResults(results)
    ours = Claim(
        "ramify_kilothon has a higher payoff than any agent of the paper",
        OURS,
        judge(*(above(found.lead(OUR_AGENT, one), 0.0, f"the lead over {one}") for one in ROWS)),
    )
    title, figures = "the official payoffs, and our own agent", [_official_figure(found)]
    return Findings([Exhibit("Table 5", title, [ours], [_our_agent(found)], figures)], NOTES)


NOTES = [
    (
        "Our intervals are over games (bootstrap), the paper's over ten whole contests: ours cover another choice of"
        " games, theirs only another run with the same games. MAX of table 6 is the best of ten contests; ours is the"
        " best of as many as there are trials."
    ),
    (
        "Agents have the constants of the program behind the results, which neither reuses trees nor searches in open"
        " loop; the opponent does both. SHOT warms up breadth-first as that program does; the text says depth-first."
        " The opponent's playouts are cut at 200 plies, as in Ludii's sources; the paper prints 500 moves per player,"
        " which there is the limit of the game. Games are ours and OpenSpiel's, not Ludii's 1094; a game that three"
        " sources have counts three times. SHOT against UCT is not a claim, because the published intervals overlap."
    ),
    "All times are scaled with the minute. A faster machine runs more simulations in the same minute.",
]


def _payoff_claims(found: KilothonResults) -> list[Claim]:
    return [
        Claim(
            f"{first} has a higher payoff than {second}",
            STATEMENTS[name],
            judge(above(found.lead(first, second), 0.0, "the lead")),
            reading=READING,
        )
        for name, (first, second) in CLEAR.items()
    ]


def _payoffs(found: KilothonResults) -> DataTable:
    printed = {row["agent"]: row for row in published.table("sh_table6")}
    rows = [
        [
            agent,
            format_interval(found.payoff(agent), sign=True),
            f"{float(printed[ROWS[agent]]['payoff']):+.4f} ± {float(printed[ROWS[agent]]['halfwidth']):.4f}",
            f"{found.best_contest(agent):+.4f}",
            f"{float(printed[ROWS[agent]]['max']):+.4f}",
        ]
        for agent in ROWS
    ]
    best = f"measured, best of {len(found.contests(UCT))}"
    headings = ["agent", "measured", "published", best, "published, best of ten"]
    return DataTable("Payoff, 95 % intervals", headings, rows)


def _payoff_figure(found: KilothonResults) -> FigureSpec:
    """Mean and best payoff beside the published ones."""
    mean, best = "mean payoff", "best contest"
    printed: dict[str, dict[str, Interval]] = {mean: {}, best: {}}
    for row in published.table("sh_table6"):
        if row["max"]:
            agent = next(one for one, name in ROWS.items() if name == row["agent"])
            middle, half = float(row["payoff"]), float(row["halfwidth"])
            printed[mean][agent] = Interval(middle, middle - half, middle + half)
            printed[best][agent] = _point(float(row["max"]))
    given = {
        mean: {agent: found.payoff(agent).at(CONFIDENCE) for agent in ROWS},
        best: {agent: _point(found.best_contest(agent)) for agent in ROWS},
    }
    return FigureSpec(
        "payoffs",
        "Payoff of each agent, and that of its best contest",
        partial(forest, given, tuple(ROWS), f"payoff; {DIAMONDS}", 0.0, 2, printed=printed),
    )


def _official_figure(found: KilothonResults) -> FigureSpec:
    """The contest's entrants, whose payoffs are published, and the agents that were measured."""
    panel, official = "payoff", {name: _point(payoff) for name, payoff in _entrants().items()}
    measured = {agent: found.payoff(agent).at(CONFIDENCE) for agent in (OUR_AGENT, SQRT_HALVING_CBT)}
    return FigureSpec(
        "official",
        "Official payoffs of the contest, and ours",
        partial(forest, {panel: measured}, (*measured, *official), DIAMONDS, 0.0, 1, printed={panel: official}),
    )


def _entrants() -> dict[str, float]:
    """Payoffs of table 5 by entrant, in the order of the table."""
    rows = [row for row in published.table("sh_table6") if row["agent"].endswith(OFFICIAL)]
    return {row["agent"].removesuffix(OFFICIAL).replace("_", " "): float(row["payoff"]) for row in rows}


def _point(value: float) -> Interval:
    return Interval(value, value, value)


def _spent(found: KilothonResults) -> DataTable:
    rows = [
        [
            agent,
            *(f"{found.total(agent, name):.0f}" for name in ("won", "even", "lost", "failed")),
            f"{found.total(agent, 'seconds') / max(1, len(found.payoffs(agent))):.2f}",
            f"{sum(found.cells[agent, game].total('overruns')[0] for game in found.games):.0f}",
        ]
        for agent in found.agents
    ]
    return DataTable("Games, and seconds per game", ["agent", "won", "even", "lost", "failed", "s", "overruns"], rows)


def _category_claims(found: KilothonResults) -> list[Claim]:
    def test(category: str) -> Test:
        one = found.winning(SQRT_HALVING, category)
        return above(one, 0.5, f"wins in {category}") if one else unmeasured(f"this scale has no {category}")

    def higher(category: str) -> Test:
        one, other = found.winning(SQRT_HALVING, category), found.winning(UCT, category)
        if one is None or other is None:
            return unmeasured(f"this scale has no {category}")
        return above(share_difference(one, other), 0.0, f"the difference in {category}")

    return [
        Claim(
            "UCT-sqrt-SH wins more than half of the decided games in every category",
            STATEMENTS["figure-4-half"],
            judge(*(test(category) for category in FIGURE)),
            reading=READING,
        ),
        Claim(
            "UCT-sqrt-SH wins more than UCT in sow, space and war",
            STATEMENTS["figure-4-above-uct"],
            judge(*(higher(category) for category in ("sow", "space", "war"))),
            reading=READING,
        ),
    ]


def _by_category(found: KilothonResults) -> DataTable:
    categories = [*CATEGORIES, "other"]
    rows = []
    for agent in found.agents:
        cells = (found.winning(agent, category) for category in categories)
        rows.append([agent, *("-" if one is None else format_interval(one, 2) for one in cells)])
    return DataTable("Wins among games won or lost, 95 % intervals", ["agent", *categories], rows)


def _figure(found: KilothonResults) -> FigureSpec:
    given: Mapping[str, Mapping[str, Interval]] = {
        agent: {category: one for category in CATEGORIES if (one := found.winning(agent, category)) is not None}
        for agent in found.agents
    }
    return FigureSpec(
        "categories",
        "Wins among games won or lost by category, for each agent",
        partial(forest, given, CATEGORIES, f"wins among games won or lost; {DIAMONDS}", printed=_printed_wins()),
    )


def _printed_wins() -> dict[str, dict[str, Interval]]:
    """Shares that the text gives of figure 4, by agent and category; those of UCT follow from differences."""
    rows = {row["agent"]: row for row in published.table("sh_figure4")}
    return {
        agent: {category: _point(float(text) / 100) for category, text in rows[name].items() if text.isdecimal()}
        for agent, name in ROWS.items()
        if name in rows
    }


def _our_agent(found: KilothonResults) -> DataTable:
    printed = {row["agent"]: row["payoff"] for row in published.table("sh_table6")}
    rows = [
        [OUR_AGENT, format_interval(found.payoff(OUR_AGENT), sign=True), "-"],
        *([f"{name}, official", "-", f"{payoff:+.3f}"] for name, payoff in _entrants().items()),
        [
            SQRT_HALVING_CBT,
            format_interval(found.payoff(SQRT_HALVING_CBT), sign=True),
            f"{float(printed['uct_sqrt_sh_cbt']):+.3f}",
        ],
    ]
    return DataTable("Payoffs, and the official ones", ["agent", "measured", "published"], rows)


def _is_of_the_paper(point: str) -> bool:
    return not point.startswith(f"{OUR_AGENT} at ")


EXPERIMENT = Experiment(
    id="kilothon",
    paper=PAPER,
    part="tables 5 and 6 and figure 4",
    shows="Whether halving at the root and clock bonus time pay off with one minute per game.",
    setup="Every agent at every game (trials: {trials}), with {minute} s for the whole game, against the stock UCT of"
    " the contest as second player; an agent whose time is used up plays random moves.",
    scales={
        "smoke": Scale({"minute": 0.1, "trials": 1, "games": ("tictactoe", "nim", "pig")}, 10),
        "quick": Scale({"minute": GAME_SECONDS / 10, "trials": 1}, 1800),
        "paper": Scale({"minute": GAME_SECONDS, "trials": 10}, 150_000),
    },
    points=points,
    findings=findings,
    parts={
        "table-5": Part("table 5", "Our own agent beside the official payoffs.", lambda _: True, _table_5),
        "table-6": Part("table 6", "Payoffs of the paper's five agents.", _is_of_the_paper, _table_6),
        "figure-4": Part("figure 4", "Wins of the paper's five agents by category.", _is_of_the_paper, _figure_4),
    },
)
