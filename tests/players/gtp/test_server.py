"""``ramify gtp``: what front ends are answered."""

import pytest

import ramify
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.cli.main import app
from ramify.players.gtp.boards import GtpBoard
from ramify.players.gtp.server import GtpServer
from ramify.players.gtp.timing import MIN_SECONDS, GtpTiming
from tests.players.gtp.engines import RECORDED

GAMES = ["go(size=4)", "nogo(size=4)", "atarigo(size=4)", "gomoku(size=6)", "hex(size=4)"]


def server(game, agent="uct", simulations=30):
    limits = None if simulations is None else PlayerLimits(simulations)
    return GtpServer(GtpBoard.from_game(ramify.load(game)), ramify.agent(agent), limits, 1)


def answers(one, *lines):
    """What the front end gets to see, without the marks of success."""
    found = [one.answer(line) for line in lines]
    assert all(text.startswith("=") and text.endswith("\n\n") and "\n\n" not in text[:-2] for text in found), found
    return [text[1:].strip() for text in found]


def test_a_session_as_it_was_recorded():
    one = server("go")
    for part in (RECORDED / "front_end.txt").read_text(encoding="utf-8").split("> ")[1:]:
        line, _, response = part.partition("\n")
        assert one.answer(f"{line}\n").rstrip() == response.rstrip(), line
    assert one.over


def test_numbers_that_are_none():
    """More digits than Python reads, and digits other than 0 to 9."""
    one = server("go(size=4)")
    nines = "9" * 5000
    for size in (nines, "\u0663", "²", "-3", "1e1"):
        assert one.answer(f"boardsize {size}") == "? unacceptable size\n\n"
    for number in (nines, "\u0663", "²", "nan", "inf", "1e400", "1_0"):
        for command in ("komi {}", "time_settings {} 1 1", "time_settings 1 {} 1", "time_left b 1 {}"):
            assert one.answer(command.format(number)) == "? syntax error\n\n"
    assert one.answer(f"{nines} name") == f"={nines} Ramify\n\n"
    assert one.answer("\u0663 name") == "? unknown command\n\n"
    assert one.answer(f"play b a{nines}") == "? illegal move\n\n"


def test_empty_lines_and_comments_get_no_answer():
    one = server("go")
    assert [one.answer(line) for line in ("", "\n", "  \t\r\n", "# what a day\n")] == [""] * 4
    assert one.answer("\x01na\x02me\r\n") == "= Ramify\n\n"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("agent", ["uct", "mcts(reuse=true)"])
def test_a_game_played_by_both_colours(game, agent):
    one = server(game, agent)
    (commands,) = answers(one, "list_commands")
    assert "genmove" in commands.split()
    state = ramify.load(game).initial()
    for ply in range(200):
        (vertex,) = answers(one, f"genmove {'bw'[ply % 2]}")
        if state.over:
            break
        state = state.play(one.board.move(vertex))
    assert vertex == ("PASS" if game.startswith("go(") else "resign")
    assert state == one.state
    (score,) = answers(one, "final_score")
    assert score[0] == "BW"[state.scores()[1] > state.scores()[0]]
    assert answers(one, "undo", "genmove " + "bw"[(ply - 1) % 2])[1]


@pytest.mark.parametrize(
    ("game", "moves", "score"),
    [
        ("hex(size=3)", "a1 a2 b1 b2 c1 c2", "W+"),
        ("hex(size=3)", "a1 b1 a2 b2 a3", "B+"),
        ("gomoku(size=9)", "a1 j1 b1 j2 c1 j3 d1 j4 e1", "B+"),
        ("atarigo(size=3)", "b1 a1 a2", "B+"),
        ("nogo(size=2)", "a1 b2 b1", "B+"),  # a white stone on a2 would capture
        ("nogo(size=3)", "a1", None),
        ("gomoku(size=3, row=3)", "a1 b1 c1 a2 b2 c2 b3 a3 c3", "B+"),
        ("gomoku(size=3, row=3)", "a1 b1 b2 c3 a2 c2 c1 a3 b3", "0"),
    ],
)
def test_who_has_won(game, moves, score):
    one = server(game)
    for ply, vertex in enumerate(moves.split()):
        answers(one, f"play {'bw'[ply % 2]} {vertex}")
    assert one.answer("final_score") == (f"= {score}\n\n" if score else "? cannot score\n\n")
    assert answers(one, "gogui-rules_final_result") == [score or ""]


def test_only_go_is_played_out_of_turn():
    one = server("hex(size=4)")
    assert one.answer("play w a1") == "? illegal move\n\n"
    assert one.answer("genmove w") == "? it is black's turn\n\n"
    go = server("go(size=4)")
    (vertex,) = answers(go, "genmove w")
    assert answers(go, "gogui-rules_side_to_move") == ["black"]
    assert [who for who, _ in go.board.stones(go.state)] == ([1] if vertex != "PASS" else [])


def test_a_move_can_be_asked_for_without_being_made():
    one = server("gomoku(size=6)")
    (vertex,) = answers(one, "reg_genmove b")
    assert vertex in answers(one, "all_legal b")[0].split()
    assert one.state == ramify.load("gomoku(size=6)").initial()


def test_a_board_of_another_size():
    one = server("gomoku")
    answers(one, "boardsize 9", "clear_board", "komi 6.5", "play b J9")
    assert answers(one, "gogui-rules_board_size", "gogui-rules_game_id") == ["9", "Gomoku"]
    assert one.answer("boardsize 4") == "? unacceptable size\n\n"  # five cannot stand in a row there
    assert one.state.text().split("/")[0] == "........x"


def test_the_time_of_a_front_end():
    timing = GtpTiming()
    own = PlayerLimits(simulations=50)
    assert timing.for_player(0, None) == (None, PlayerLimits(seconds=1.0))
    assert timing.for_player(0, own) == (None, own)
    timing.time_settings(60, 0, 0)
    clock, limits = timing.for_player(1, None)
    assert 59 < clock.remaining <= limits.clock <= 60
    timing.time_left(1, 20, 0)
    clock, limits = timing.for_player(1, own)
    assert 19 < clock.remaining <= 20
    assert limits.simulations == 50
    timing.time_left(1, 30, 5)
    assert timing.for_player(1, None)[1].seconds == pytest.approx(5.4)
    timing.time_left(1, 0, 1)
    assert timing.for_player(1, None) == (None, PlayerLimits(seconds=MIN_SECONDS))
    timing.time_settings(0, 10, 1)
    assert timing.for_player(0, PlayerLimits(seconds=2)) == (None, PlayerLimits(seconds=2))
    timing.time_settings(0, 0, 1)  # no limit
    assert timing.for_player(0, None) == (None, PlayerLimits(seconds=1.0))


def test_main_time_is_used_up_and_followed_by_byo_yomi():
    one = server("go(size=4)", simulations=None)
    answers(one, "time_settings 2 1 1", "time_left b 0 0", "genmove b", "time_left w 1 0", "genmove w")
    assert one.timing.for_player(1, None)[0].remaining < 1


def test_the_command(monkeypatch, capsys, tmp_path):
    path = tmp_path / "commands.txt"
    path.write_bytes(b"1 name\n\xff\xfe\nboardsize 3\ngenmove b\nquit\nname\n")
    with path.open(encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        app(["gtp", "nogo", "--simulations", "20", "--seed", "1"], standalone_mode=False)
    first, second, third, fourth, fifth = capsys.readouterr().out.split("\n\n")[:-1]
    assert (first, second, third, fifth) == ("=1 Ramify", "? unknown command", "=", "=")
    assert fourth[:2] == "= "
