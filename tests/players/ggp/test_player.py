"""What the player answers, message by message, without any network."""

import threading
from time import monotonic, sleep

import pytest

from ramify.errors import RamifyError
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.kif import write
from ramify.ggp.rules import Rulesheet
from ramify.ggp.rulesheets import rulesheet
from ramify.players.ggp import matches_in_play, timing
from ramify.players.ggp.matches_in_play import MAX_MATCHES
from ramify.players.ggp.messages import read_term
from ramify.players.ggp.role_games import InterpretedRoleGame, TurnBasedRules, role_games
from ramify.players.ggp.timing import Margin, TurnTimes
from tests.players.ggp.talking import new_player, on_one_line

LONG = "60 60"  # clocks that no machine exceeds; the agents end by their simulations
TICTACTOE = on_one_line("tictactoe")


def begun(player, name="tictactoe", role="x", match="m.1", clocks=LONG):
    assert player.answer(f"( START {match} {role} ( {on_one_line(name)} ) {clocks} )") == "ready"
    return player


def match_of(player, name="m.1"):
    return player.matches.find(name).match


def full(player):
    """A player that cannot start another match."""
    for number in range(MAX_MATCHES):
        begun(player, match=f"m.{number + 1}")
    return player


def test_who_it_is():
    player = new_player(name="Anna")
    assert player.answer("( INFO )") == "( ( name Anna ) ( status available ) )"
    full(player)
    assert player.answer("(info)") == "( ( name Anna ) ( status busy ) )"
    assert player.answer("(abort m.1)") == "aborted"
    assert player.answer("(info)") == "( ( name Anna ) ( status available ) )"


@pytest.mark.parametrize("upper", [False, True])
def test_a_whole_match(upper):
    """Against the first legal move; the manager may shout."""

    def told(text):
        return text.upper() if upper else text

    rules = Interpreter(Rulesheet.from_text(told(rulesheet("tictactoe")), "tictactoe"))
    us, them = rules.roles
    player = new_player("uct(simulations=100)")
    assert player.answer(told(f"( start m x ( {TICTACTOE} ) {LONG} )")) == "ready"
    position, last, turns = rules.initial(), "NIL", 0
    while not rules.terminal(position):
        move = read_term(player.answer(told(f"( play m {last} )")))
        assert move in rules.legal(position, us)
        joint = {us: move, them: rules.legal(position, them)[0]}
        last = f"( {write(joint[us])} {write(joint[them])} )"
        position = rules.next(position, joint)
        turns += 1
    assert rules.goal(position, us) == 100
    assert player.answer(told(f"( stop m {last} )")) == "done"
    assert player.answer("(info)").endswith("( status available ) )")


def test_matches_one_after_another_and_other_rules():
    player = new_player()
    for number, (name, role) in enumerate([("tictactoe", "o"), ("connect4", "x"), ("tictactoe", "x")]):
        begun(player, name, role, f"m.{number}")
        assert player.answer(f"(play m.{number} nil)")
        assert player.answer(f"(stop m.{number} nil)") == "done"


def test_matches_side_by_side():
    """Each has its own position."""
    player = full(new_player())
    assert player.answer("(play m.1 nil)").startswith("(mark ")
    assert player.answer("(play m.2 ((mark 1 1) noop))") == "noop"
    assert player.answer("(play m.1 ((mark 2 2) noop))") == "noop"
    for text in ("(stop m.2 nil)", "(stop m.2 nil)"):
        assert player.answer(text) == "done"
    assert player.answer("(play m.2 (noop (mark 2 2)))") == "busy"
    assert player.answer("(play m.1 (noop (mark 3 3)))").startswith("(mark ")


def test_one_match_too_many_is_told_busy():
    player = full(new_player())
    assert player.answer(f"(start m.x x ({TICTACTOE}) {LONG})") == "busy"
    for text in ("(play m.x nil)", "(stop m.x nil)", "(abort m.x)"):
        assert player.answer(text) == "busy"
    assert player.answer("(play m.1 nil)") != "busy"
    assert player.answer(f"(start m.1 x ({TICTACTOE}) 60 30)") == "busy"  # another match of the same name


def wait_beyond_clocks(player, name, seconds=0.3):
    """Time passes for a match only."""
    match_of(player, name).manager.next_turn = monotonic() - matches_in_play.GIVE_WAY_SECONDS - seconds


def test_who_does_not_advance_gives_way():
    player = full(new_player())
    for last in ("nil", "((mark 1 1) noop)"):
        for name in ("m.1", "m.2", "m.3"):
            player.answer(f"(play {name} {last})")
    wait_beyond_clocks(player, "m.2")
    wait_beyond_clocks(player, "m.3", seconds=0.1)
    player.answer("(play m.2 ((mark 1 1) noop))")  # the same again is no new turn
    player.answer("(play m.2 ((mark 9 9) noop))")
    player.answer(f"(start m.2 x ({TICTACTOE}) {LONG})")
    assert player.answer("(info)").endswith("( status available ) )")
    begun(player, match="m.4")
    assert player.answer("(play m.2 nil)") == "busy"
    player.answer("(play m.3 (noop (mark 2 2)))")
    assert player.answer(f"(start m.5 x ({TICTACTOE}) {LONG})") == "busy"
    assert player.answer("(play m.1 (noop (mark 2 2)))").startswith("(mark ")


def test_those_who_are_refused_form_a_line(monkeypatch):
    """The first who asks again gets the place, however often the others ask."""
    player = full(new_player())

    def start(name, clocks=LONG):
        return player.answer(f"(start {name} x ({TICTACTOE}) {clocks})")

    assert [start(name) for name in ("first", "second", "first", "second", "third")] == ["busy"] * 5
    player.answer("(abort m.1)")
    assert [start("second"), start("new"), start("first"), start("second")] == ["busy", "busy", "ready", "busy"]
    player.answer("(abort m.2)")
    assert start("third") == "busy"
    monkeypatch.setattr(matches_in_play, "LINE_SECONDS", 0.0)  # the second does not ask again
    assert start("third") == "ready"


def test_a_line_for_long_clocks_does_not_delay_others():
    player = new_player()
    for name in ("m.1", "m.2"):
        begun(player, match=name, clocks="3600 3600")
    assert player.answer(f"(start long x ({TICTACTOE}) 3600 60)") == "busy"
    begun(player, match="short")


def test_matches_with_long_clocks_leave_a_place():
    player = new_player()
    for name in ("m.1", "m.2"):
        begun(player, match=name, clocks="3600 3600")
    assert player.answer(f"(start m.3 x ({TICTACTOE}) 61 10)") == "busy"
    assert player.answer(f"(start m.3 x ({TICTACTOE}) 10 61)") == "busy"
    begun(player, match="m.3")
    assert player.answer(f"(start m.4 x ({TICTACTOE}) {LONG})") == "busy"
    wait_beyond_clocks(player, "m.3")
    assert player.answer(f"(start m.4 x ({TICTACTOE}) 61 10)") == "busy"
    begun(player, match="m.4")
    wait_beyond_clocks(player, "m.1")
    begun(player, match="m.5", clocks="61 10")


@pytest.mark.alone
def test_messages_of_one_match_that_wait_are_few():
    """Else a stranger's match with a long clock could keep all threads of the server waiting."""
    player = begun(new_player("uct"), clocks="60 3")
    begun(player, match="m.2", clocks="60 1")
    answers = []
    strangers = [
        threading.Thread(target=lambda: answers.append(player.answer("(play m.1 nil)")), daemon=True)
        for _ in range(matches_in_play.MAX_UNANSWERED + 2)
    ]
    for one in strangers:
        one.start()
    assert player.answer("(play m.2 nil)").startswith("(mark ")
    assert answers == ["busy", "busy"]
    player.answer("(abort m.1)")
    for one in strangers:
        one.join(60)
    assert len(answers) == len(strangers)


def test_what_comes_twice_is_answered_alike():
    player = begun(new_player())
    assert player.answer(f"( START m.1 x ( {TICTACTOE} ) {LONG} )") == "ready"
    first = player.answer("(play m.1 nil)")
    assert player.answer("(play m.1 nil)") == first
    assert player.answer(f"(play m.1 ({first} noop))") == "noop"
    assert player.answer(f"(play m.1 ({first} noop))") == "noop"
    reply = player.answer("(play m.1 (noop (mark 1 3)))") if first != "(mark 1 3)" else "(mark 1 1)"
    assert reply.startswith("(mark ")
    assert player.answer("(stop m.1 nil)") == player.answer("(stop m.1 nil)") == "done"


def test_the_same_moves_may_follow_each_other():
    """Where both may stay, the second such turn is another turn and not the first one again."""
    player = begun(new_player(), "runners", "left")
    player.answer("(play m.1 nil)")
    player.answer("(play m.1 (stay stay))")
    assert match_of(player)._turn.number == 1
    player.answer("(play m.1 (stay stay))")
    assert match_of(player)._turn.number == 2


def test_what_is_not_legal_leaves_the_match_as_it_is():
    player = begun(new_player())
    first = player.answer("(play m.1 nil)")
    for last in ("((mark 9 9) noop)", "(noop noop)", "nil", "(x)", "((mark 1 1) noop noop)"):
        assert player.answer(f"(play m.1 {last})") == first
    assert player.answer(f"(play m.1 ({first} noop))") == "noop"


def test_the_manager_may_have_taken_another_move_for_ours():
    player = begun(new_player())
    player.answer("(play m.1 nil)")
    assert player.answer("(play m.1 ((mark 3 1) (noop)))") == "noop"
    reply = read_term(player.answer("(play m.1 (noop (mark 2 2)))"))
    assert reply[0] == "mark"
    assert reply[1:] not in (("3", "1"), ("2", "2"))


def test_messages_that_are_read_in_another_order():
    """The third is read before the second; one of no sense that came before both is forgotten."""
    player = begun(new_player())
    now = monotonic()
    player.answer("(play m.1 nil)", now)
    player.answer("(play m.1 (noop (mark 3 3)))", now + 1)
    player.answer("(play m.1 (noop (mark 2 2)))", now + 3)
    assert match_of(player)._turn.number == 0
    assert player.answer("(play m.1 ((mark 1 1) noop))", now + 2) == "noop"
    assert match_of(player)._turn.number == 2
    assert ("cell", "2", "2", "o") in match_of(player)._belief.position
    assert match_of(player)._pending == []


def test_a_lost_first_message():
    player = begun(new_player(), role="o")
    assert player.answer("(play m.1 ((mark 1 1) noop))").startswith("(mark ")


def test_rules_that_cannot_be_played():
    player = new_player()
    for rules, sentence in (
        ("(role x) (role", "missing closing parenthesis"),
        ("(role x)", "no rule defines"),
        ("(role x) (<= (p ?x) (not (q ?x)))", "rules"),
        (TICTACTOE.replace("(role x)", "(role y)"), "unknown role x"),
    ):
        with pytest.raises(RamifyError, match=sentence):
            player.answer(f"(start m x ({rules}) 5 5)")
        assert player.answer("(info)").endswith("( status available ) )")
    begun(player)


def test_a_preview():
    said = []
    player = new_player(log=said.append)
    assert player.answer(f"( PREVIEW ( {TICTACTOE} ) 60 )") == "done"
    assert said == ["preview: ready to play with the interpreter"]
    with pytest.raises(RamifyError, match="no rule defines"):
        player.answer("(preview ((role x)) 1)")
    begun(player)
    assert player.answer(f"( PREVIEW ( {TICTACTOE} ) 60 )") == "done"
    assert len([line for line in said if "preview" in line]) == 1


def test_a_manager_that_is_gone(monkeypatch):
    player = begun(new_player(), clocks="0.1 0.1")
    match = match_of(player)
    monkeypatch.setattr(timing, "MANAGER_TIMEOUT", 0.0)
    while not match.manager.silent:
        sleep(0.05)
    assert player.answer("(info)").endswith("( status available ) )")
    begun(player, match="m.2")
    assert player.answer("(play m.1 nil)") == "busy"


def test_words_mean_nothing():
    """Constants of the rules may be any words, also those that others use for something else."""
    words = {"mark": "goalkeeper", "cell": "terminal1", "x": "nil1", "o": "play", "noop": "stop", "control": "abort"}
    text = " ".join(words.get(word, word) for word in TICTACTOE.replace("(", " ( ").replace(")", " ) ").split())
    player = new_player()
    assert player.answer(f"(start m play ({text}) {LONG})") == "ready"
    assert player.answer("(play m nil)") == "stop"
    assert player.answer("(play m ((goalkeeper 1 1) stop))").startswith("(goalkeeper ")


def test_both_ways_to_play_agree_on_moves():
    rules = Rulesheet.from_text(rulesheet("connect4"), "connect4")
    interpreter = Interpreter(rules)
    position = interpreter.next(interpreter.initial(), {"x": ("drop", "3"), "o": "noop"})
    for board in role_games(rules, "o"):
        state = board.state(position)
        assert state.to_move == board.player == 1
        assert sorted(write(board.term(move.code)) for move in state.moves()) == [f"(drop {k})" for k in range(1, 8)]


def test_moves_at_once_are_searched_by_the_network():
    said = []
    player = begun(new_player("uct(simulations=50)", make_role_games=role_games, log=said.append), "runners", "right")
    assert match_of(player).ready.wait(60)
    move = read_term(player.answer("(play m.1 nil)"))
    assert move[0] == "forward" or move == "stay"
    assert any(f"turn 0, {write(move)} (50 simulations" in line for line in said), said
    assert "propnet" in match_of(player)._role_games[0].kind


def test_those_who_move_at_once_choose_in_turn():
    rules = Interpreter(Rulesheet.from_text(rulesheet("runners"), "runners"))
    game = TurnBasedRules(rules, "right")
    state = game.start()
    assert game.mover(state) == 1
    first = next(code for code in game.legal(state) if game.moves[code] == ("right", ("forward", "4")))
    game.play(state, first)
    assert game.mover(state) == 0
    second = next(code for code in game.legal(state) if game.moves[code] == ("left", "stay"))
    game.play(state, second)
    assert {("at", "left", "0"), ("at", "right", "4"), ("units", "1")} <= state.turn.fluents


def test_the_margin():
    assert [Margin().for_clock(clock) for clock in (0.5, 1, 30, 600)] == [0.2, 0.4, 1.5, 2.0]
    assert Margin(0.1).for_clock(1) == 0.1
    assert Margin(5).for_clock(1) == 0.4


def test_searches_that_end_late_get_less_time():
    times = TurnTimes(10.0, Margin(1.0))
    assert (times.deadline(100.0), times.latest(100.0)) == (109.0, 109.3)
    times.ended(0.5)
    assert times.deadline(100.0) == 108.5
    times.ended(-0.1)
    assert times.deadline(100.0) == pytest.approx(108.55)
    times.ended(60.0)
    assert times.deadline(100.0) == 103.0


@pytest.mark.alone
def test_an_answer_comes_in_time_whatever_the_board_does():
    class Stuck(InterpretedRoleGame):
        def state(self, position):
            if threading.current_thread().name == "turn":
                sleep(4)
            return super().state(position)

    def boards(rules, role):
        yield Stuck(rules, role)

    player = begun(new_player(make_role_games=boards), clocks="60 2")
    began = monotonic()
    assert player.answer("(play m.1 nil)").startswith("(mark ")
    assert monotonic() - began < 2


@pytest.mark.alone
def test_a_board_that_fails_is_replaced():
    class Broken(InterpretedRoleGame):
        kind = "badly"

        def term(self, code):
            raise RuntimeError("broken")

    def boards(rules, role):
        yield InterpretedRoleGame(rules, role)
        yield Broken(rules, role)

    said = []
    player = begun(new_player(make_role_games=boards, log=said.append))
    assert player.answer("(play m.1 nil)").startswith("(mark ")
    assert any("cannot play badly" in line for line in said)
    assert any("simulations" in line for line in said)


@pytest.mark.alone
def test_rules_that_take_long_are_ready_all_the_same():
    release = threading.Event()

    def boards(rules, role):
        yield InterpretedRoleGame(rules, role)
        release.wait()
        raise RamifyError("too large")

    player = begun(new_player(make_role_games=boards), clocks="1 60")
    assert not match_of(player).ready.is_set()
    assert player.answer("(play m.1 nil)").startswith("(mark ")
    release.set()


COIN = """
(role guesser) (role random)
(init start)
(<= (legal random heads) (true start)) (<= (legal random tails) (true start))
(<= (legal guesser wait) (true start))
(<= (legal random idle) (not (true start)))
(<= (legal guesser (guess heads)) (not (true start))) (<= (legal guesser (guess tails)) (not (true start)))
(<= (next (coin ?side)) (does random ?side) (true start))
(<= (next right) (true (coin ?side)) (does guesser (guess ?side)))
(<= (next over) (not (true start)))
(<= (sees guesser ?side) (does random ?side) (true start))
(<= terminal (true over))
(<= (goal guesser 100) (true right)) (<= (goal guesser 0) (not (true right)))
"""


@pytest.mark.parametrize("side", ["heads", "tails"])
@pytest.mark.parametrize("form", ["percepts", "four arguments", "moves"])
def test_what_is_seen_of_chance(side, form):
    player = new_player()
    assert player.answer(f"(start m guesser ({COIN}) {LONG})") == "ready"
    assert player.answer("(play m nil)") == "wait"
    told = {"percepts": f"({side})", "four arguments": f"1 wait ({side})", "moves": f"(wait {side})"}[form]
    assert player.answer(f"(play m {told})") == f"(guess {side})"
