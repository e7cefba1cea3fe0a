"""Users' playouts: one that ends too early or returns a wrong length is refused, also if only a late playout does."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import ramify
from ramify.agents.search import bind_playout
from ramify.contract.interfaces.playout_spec import PlayoutSpec
from ramify.core.kernels.compiling import JIT, kernel
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.numbers.rng import below
from ramify.core.playouts.context import PlayoutPolicy
from ramify.core.playouts.random_policy import uniform
from ramify.core.search.episode import EPISODE
from ramify.games import tictactoe
from ramify.strategies.base import MAX_PLIES, BoundPlayoutPolicy, BoundStrategy, Playout
from ramify.strategies.playout.cut_off import CutOff
from ramify.strategies.policy_playout import PolicyPlayout

SOUND, ENDS_EARLY, RETURNS_0, ONE_MORE, ONE_LESS, CUTS_EARLY, CUTS_AT_THE_END, LOSES_THE_CUT = range(8)
LATE = 90  # the playout from which a flaw shows
PARTS = np.dtype([(name, np.int64) for name in ("legal", "play", "copy", "bytes", "spare", "finish", "flaw", "number")])


def play_out(rules, state, episode_, block_):
    block = record(block_, PARTS)
    episode = record(episode_, EPISODE)
    rng = array(episode.rng, 1, np.uint64)
    block.number += 1
    flaw = block.flaw if block.number >= LATE else SOUND
    plies = 0
    count = call(block.legal, (rules, state, episode.moves))
    while count > (1 if flaw == ENDS_EARLY else 0):
        if plies == episode.limit or (flaw == CUTS_EARLY and plies == 1):
            return plies if flaw == LOSES_THE_CUT else -1 - plies
        moves = array(episode.moves, count, np.int64)
        call(block.play, (rules, state, moves[below(rng, count)]))
        plies += 1
        count = call(block.legal, (rules, state, episode.moves))
    if flaw == RETURNS_0:
        return 0
    if flaw == CUTS_AT_THE_END and plies == episode.limit:
        return -1 - plies
    return plies + (1 if flaw == ONE_MORE else -1 if flaw == ONE_LESS and plies > 0 else 0)


def play_copies(rules, state, episode_, block_):
    """Play every move in a copy, and copy that back."""
    block = record(block_, PARTS)
    episode = record(episode_, EPISODE)
    rng = array(episode.rng, 1, np.uint64)
    plies = 0
    count = call(block.legal, (rules, state, episode.moves))
    while count > 0:
        move = array(episode.moves, count, np.int64)[below(rng, count)]
        copy_bytes(block.spare, state, block.bytes)
        call(block.play, (rules, block.spare, move))
        copy_bytes(state, block.spare, block.bytes)
        plies += 1
        count = call(block.legal, (rules, state, episode.moves))
    return plies


def play_one(rules, state, episode_, block_):
    """Play one move, and the rest by the game's own playout."""
    block = record(block_, PARTS)
    episode = record(episode_, EPISODE)
    count = call(block.legal, (rules, state, episode.moves))
    if count == 0:
        return 0
    call(block.play, (rules, state, array(episode.moves, count, np.int64)[0]))
    return 1 + call(block.finish, (rules, state, episode_, 0))


def play_functions(_rules, state, episode_, _block):
    """Play the first legal move, by the functions of the game itself."""
    R, S = record(state, tictactoe.State), record(state, tictactoe.State)
    moves = array(record(episode_, EPISODE).moves, 9, np.int64)
    plies = 0
    while not tictactoe.over(R, S):
        tictactoe.legal(R, S, moves)
        tictactoe.play(R, S, moves[0])
        plies += 1
    return plies


KERNELS = {"moves": play_out, "copies": play_copies, "one": play_one, "functions": play_functions}


@dataclass(frozen=True)
class Own(Playout):
    flaw: int = SOUND
    how: str = "moves"
    limit: int = MAX_PLIES

    def bind(self, game, *, traced):
        table, spare = game.table(), np.zeros(game.state_bytes + 64, np.uint8)
        finish = game.playout(PlayoutSpec(exact_length=True)).address if self.how == "one" else 0
        numbers = (table.legal, table.play, table.copy, game.state_bytes, spare.ctypes.data, finish, self.flaw, 0)
        return BoundStrategy(kernel(KERNELS[self.how]), np.array([numbers], PARTS), owned=(spare,))


def searched(playout, game="tictactoe", agent="mcts", **options):
    agent = replace(ramify.agent(agent), playout=playout)
    return ramify.search(ramify.load(game).initial(), agent, simulations=200, seed=1, **options)


@pytest.mark.parametrize("game", ["tictactoe", "examples/nim_class.py"])
@pytest.mark.parametrize(
    ("flaw", "limit", "words"),
    [
        (ENDS_EARLY, MAX_PLIES, r"returned \d+ in a position that is not over: it must play to the end"),
        (RETURNS_0, MAX_PLIES, r"returned 0 after \d+ plies: it must return their number n"),
        (ONE_MORE, MAX_PLIES, r"returned \d+ after \d+ plies"),
        (ONE_LESS, MAX_PLIES, r"returned \d+ after \d+ plies"),
        (
            CUTS_EARLY,
            MAX_PLIES,
            "returned -2, which means that its limit cut it after 1 plies, but the limit is 100000",
        ),
        (CUTS_AT_THE_END, 3, "returned -4, which means that its limit cut it, but the game is over"),
        (LOSES_THE_CUT, 3, "returned 3 in a position that is not over"),
    ],
)
def test_a_wrong_playout_is_refused(flaw, limit, words, game):
    with pytest.raises(ramify.RamifyError, match=f"^playout=own {words}.*; in the position .*, seed 1$"):
        searched(Own(flaw, limit=limit), game)


@pytest.mark.parametrize("limit", [MAX_PLIES, 3])
@pytest.mark.parametrize("game", ["tictactoe", "hex(size=4)", "examples/nim_class.py"])
def test_a_right_playout_is_not(game, limit):
    assert searched(Own(limit=limit), game).simulations == 200


def test_the_check_changes_no_search(monkeypatch):
    checked = searched(Own())
    monkeypatch.setattr(bind_playout, "is_users", lambda function: False)
    assert [child.visits for child in searched(Own()).children] == [child.visits for child in checked.children]


@pytest.mark.parametrize("game", ["tictactoe", "hex(size=4)"])
@pytest.mark.parametrize("how", ["copies", "one"])
def test_moves_may_be_played_otherwise(how, game):
    assert searched(Own(how=how), game).simulations == 200


@pytest.mark.skipif(not JIT, reason="plain Python passes other records to the functions")
def test_moves_may_be_played_by_the_functions_of_the_game():
    assert searched(Own(how="functions")).simulations == 200


def test_several_threads_count_their_own_moves():
    assert searched(Own(), "connect4", threads=2).simulations == 200


def test_a_built_in_playout_around_it():
    around = CutOff(plies=3, then=Own())
    assert searched(around, "breakthrough").simulations == 200
    with pytest.raises(
        ramify.RamifyError, match="playout=cut_off returned -2, which means that its limit cut it after 1"
    ):
        searched(replace(around, then=Own(CUTS_EARLY)), "breakthrough")


@dataclass(frozen=True)
class Chooses(PolicyPlayout):
    """A user's class whose kernel is Ramify's."""

    batchable = True
    limit: int = MAX_PLIES

    def policy(self, game):
        return BoundPlayoutPolicy(PlayoutPolicy(uniform), kernel(uniform))


@pytest.mark.parametrize("game", ["tictactoe", "examples/nim_class.py", "gdl:tictactoe"])
def test_a_playout_policy(game):
    assert searched(Chooses(), game).simulations == 200


class Batched(Own):
    batchable = True


def test_a_batch_does_not_call_a_kernel_of_its_own():
    with pytest.raises(ramify.RamifyError, match=r"playout=batched has a kernel of its own.*remove batchable = True"):
        searched(Batched(), "gdl:tictactoe", "mcts(batch_size=32)")
