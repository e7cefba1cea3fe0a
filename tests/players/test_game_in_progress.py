"""The loop that matches, contests, experiments and the terminal share, and what its policies decide."""

import pytest

import ramify
from ramify import CHANCE
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.contract.python_rules import PythonGenerator
from ramify.errors import RamifyError
from ramify.players.endings import FINISHED, FORFEIT, LIMIT, RESIGNED, TIME, IrregularLoss
from ramify.players.engine_protocol import Seat
from ramify.players.faults import Fault, Resignation
from ramify.players.game_in_progress import GameInProgress, GamePolicy, TakenBack, by_dice
from ramify.players.seated import ClockedPlayer, SeatedPlayer
from tests import toys

LIMITS = PlayerLimits(simulations=1)


class Fixed(SeatedPlayer):
    """Plays the first legal move, or does what stands for its turn; notes what happens to it."""

    def __init__(self, turns=()):
        super().__init__()
        self.turns = list(turns)
        self.events = []

    def choose(self, state, ply):
        self.events.append(("choose", ply))
        what = self.turns.pop(0) if self.turns else None
        if isinstance(what, Exception):
            raise what
        codes = state.codes(self.number)
        return (codes[0] if what is None else state.find_for(self.number, what).code), 7

    def on_move(self, after, code):
        self.events.append(("follow", after.history[-1]))

    def close(self, scores=None):
        self.events.append(("close", scores))


def a_game(sides, policy=None, game="tictactoe", seed=1):
    start = ramify.load(game).initial()
    seats = [Seat(start.game, number, 0, "", LIMITS) for number in range(start.game.players)]
    return GameInProgress(start, seats, sides, by_dice(PythonGenerator(seed)), policy or GamePolicy())


def test_a_game_to_its_end():
    sides = [Fixed(), Fixed()]
    game = a_game(sides)
    assert game.play() == (1.0, 0.0)
    assert (game.ended, game.faults, game.lost) == (FINISHED, ("", ""), None)
    assert [ply for what, ply in sides[1].events if what == "choose"] == [1, 3, 5]
    assert [name for what, name in sides[1].events if what == "follow"] == list(game.state.history)
    assert [side.number for side in sides] == [0, 1]
    assert sides[0].events[-1] == ("close", (1.0, 0.0))


class Recording(GamePolicy):
    def __init__(self):
        self.moves = []

    def after_move(self, before, code, after, spent):
        assert after.history[:-1] == before.history
        self.moves.append((before.to_move, code, spent))


def test_chance_costs_nothing():
    policy = Recording()
    a_game([Fixed(), Fixed()], policy, "pig(target=5)").play()
    spent = {mover == CHANCE: simulations for mover, _, simulations in policy.moves}
    assert spent == {True: 0, False: 7}


def test_joint_moves_are_in_the_order_of_seats_whoever_is_asked_first():
    asked = []

    class Asked(Fixed):
        def choose(self, state, ply):
            asked.append(self.number)
            return super().choose(state, ply)

    class Backwards(Recording):
        def asking_order(self, players):
            return reversed(range(players))

    policy = Backwards()
    name = toys.load("rock_paper_scissors").name
    game = a_game([Asked(["rock"]), Asked(["paper"])], policy, name)
    game.play()
    assert asked[:2] == [1, 0]
    assert game.state.history[0] == "rock+paper"
    assert policy.moves[0][2] == [7, 7]


def test_a_limit_makes_a_draw():
    class Short(GamePolicy):
        def at_limit(self, state):
            return len(state.history) >= 3

    game = a_game([Fixed(), Fixed()], Short())
    assert game.play() == (0.5, 0.5)
    assert (game.ended, len(game.state.history)) == (LIMIT, 3)


@pytest.mark.parametrize(
    ("error", "ended", "reason"),
    [
        (Fault("wrote nonsense"), FORFEIT, "wrote nonsense"),
        (Fault("was late", late=True), TIME, "was late"),
        (Resignation(), RESIGNED, ""),
    ],
)
def test_who_is_at_fault_loses(error, ended, reason):
    sides = [Fixed(), Fixed([None, error])]
    game = a_game(sides)
    assert game.play() == (1.0, 0.0)
    assert (game.lost, game.ended, game.faults) == (IrregularLoss(1, ended, reason), ended, ("", reason))
    assert len(game.state.history) == 3
    assert sides[0].events[-1] == ("close", (1.0, 0.0))
    assert sides[1].events[-1] == ("close", None)


def test_other_errors_are_raised_and_everybody_is_closed():
    sides = [Fixed([RamifyError("no such thing")]), Fixed()]
    with pytest.raises(RamifyError, match="no such thing"):
        a_game(sides).play()
    assert [side.events[-1] for side in sides] == [("close", None)] * 2


def test_a_policy_may_adjudicate():
    class Adjudicating(GamePolicy):
        def adjudicated(self, state):
            return IrregularLoss(0, TIME) if len(state.history) == 2 else None

    game = a_game([Fixed(), Fixed()], Adjudicating())
    assert game.play() == (0.0, 1.0)
    assert (game.ended, len(game.state.history)) == (TIME, 2)


def test_moves_may_be_taken_back():
    earlier = ramify.load("tictactoe").initial()
    sides = [Fixed(["b2", TakenBack(earlier), "a3"]), Fixed()]
    game = a_game(sides)
    game.play()
    assert game.state.history[0] == "a3"
    assert [ply for what, ply in sides[0].events if what == "choose"][:3] == [0, 2, 0]


class Slow(ClockedPlayer):
    """Takes so many seconds for a move, by a time of its own."""

    def __init__(self, seconds, **limits):
        self.time = 0.0
        super().__init__(PlayerLimits(**limits), 1, lambda: self.time)
        self.takes = seconds

    def _choose_timed(self, state, ply):
        self.time += self.takes
        return state.codes(self.number)[0], 0


def test_a_clock_that_runs_out_loses_after_the_move():
    game = a_game([Slow(0.1, clock=10), Slow(0.6, clock=1)])
    assert game.play() == (1.0, 0.0)
    assert (game.ended, game.lost, len(game.state.history)) == (TIME, IrregularLoss(1, TIME), 4)


def test_a_player_may_play_on_without_time():
    game = a_game([Slow(0.1, clock=10), Slow(0.6, clock=1, on_time="random")])
    game.play()
    assert game.ended == FINISHED
    assert game.players[1].out_of_time


@pytest.mark.parametrize(("takes", "loser"), [((2.0, 3.0), 1), ((3.0, 2.0), 0)])
def test_of_two_clocks_the_later_one_loses(takes, loser):
    name = toys.load("rock_paper_scissors").name
    game = a_game([Slow(seconds, clock=1) for seconds in takes], game=name)
    game.play()
    assert game.lost == IrregularLoss(loser, TIME)
