"""One match of a player: what it knows of it, turn by turn.

Whoever brings a message waits here no longer than the clock allows. What takes time is done in threads of its own: the
preparation, and one turn after the other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from random import Random
from time import monotonic

from ramify.agents.agent import Agent
from ramify.contract.author_errors import author_error_text, error_text
from ramify.errors import RamifyError
from ramify.ggp.interpreter import Fluents, Interpreter
from ramify.ggp.kif import Term, write
from ramify.ggp.rules import RANDOM, Rulesheet
from ramify.players.ggp.belief import Belief
from ramify.players.ggp.match_search import ChosenMove, MatchSearch
from ramify.players.ggp.messages import LastTurn, Start, folded
from ramify.players.ggp.role_games import RoleGame, role_games
from ramify.players.ggp.timing import Margin, TurnTimes

Log = Callable[[str], object]
BoardsMaker = Callable[[Rulesheet, Term], Iterator[RoleGame]]
MAX_PENDING = 16  # most messages that are kept because they make no sense yet
MANAGER_TIMEOUT = 60.0  # seconds without a word after which a manager may be gone, and four times both clocks


class Turn:
    """One turn: what was told before it, and the answer when it is known."""

    def __init__(self, number: int, last: LastTurn | None, deadline: float, legal: list[Term]) -> None:
        self.number = number
        self.last = last
        self.deadline = deadline  # of the search
        self.legal = legal
        self.answer: Term | None = None
        self.done = threading.Event()
        self.given = False  # whether the answer has gone out


class PlayRequest:
    """A message that wants an answer, and the turn that it is about, once that is known."""

    def __init__(self, last: LastTurn | None, arrived: float, deadline: float) -> None:
        self.last = last
        self.arrived = arrived
        self.deadline = deadline
        self.turn: Turn | None = None
        self.placed = threading.Event()


class Match:
    """A match in play."""

    def __init__(
        self, start: Start, agent: Agent, *, seed: int, margin: Margin, say: Log, make_boards: BoardsMaker = role_games
    ) -> None:
        self.start = start
        self.margin = margin
        self.say = say
        self.random = Random(seed)  # noqa: S311
        self.times = TurnTimes(start.play_clock, margin)
        self.mind = MatchSearch(agent, lambda: self.random.getrandbits(32))
        self.heard = monotonic()  # when the manager last said something
        self.over = False
        self.refusal: str | None = None  # why the rules cannot be played
        self.readable = threading.Event()  # the rules are read, or refused
        self.ready = threading.Event()  # everything is prepared
        self._make_boards = make_boards
        self._belief: Belief | None = None
        self._boards: list[RoleGame] = []  # the best one first
        self._turn: Turn | None = None
        self._early: list[PlayRequest] = []  # messages that make no sense yet, as they came
        self._lock = threading.Lock()
        self._placing = threading.Lock()  # around what asks the belief
        threading.Thread(target=self._prepare, name="preparation", daemon=True).start()

    @property
    def id(self) -> str:
        """The name that the manager has given to the match."""
        return self.start.match

    @property
    def silent(self) -> bool:
        """Whether nothing was heard for so long that the manager must be gone."""
        clocks = self.start.start_clock + self.start.play_clock
        return monotonic() - self.heard > max(MANAGER_TIMEOUT, 4 * clocks)

    def _prepare(self) -> None:
        """Read the rules, then make of them what a search can play."""
        try:
            began = monotonic()
            rules, belief = self._read()
            self._belief = belief
        except Exception as error:  # noqa: BLE001  (whatever the rules are, the player goes on)
            self.refusal = failure_text(error)
            self.ready.set()
            return
        finally:
            self.readable.set()
        try:
            for board in self._make_boards(rules, belief.role):
                self.mind.prepare(board, belief.interpreter.initial())
                self._boards = [board, *self._boards]
                self.say(f"match {self.id}: after {monotonic() - began:.1f} s it can be played {board.kind}")
        except Exception as error:  # noqa: BLE001
            self.say(f"match {self.id}: there is no better way to play it: {failure_text(error)}")
        finally:
            self.ready.set()

    def _read(self) -> tuple[Rulesheet, Belief]:
        rules = Rulesheet.from_text(self.start.rules, "the rules")
        interpreter = Interpreter(rules)
        role = next((one for one in rules.roles if folded(one) == folded(self.start.role)), None)
        if role is None or role == RANDOM:
            known = ", ".join(write(one) for one in rules.roles if one != RANDOM)
            raise RamifyError(f"the rules have no role {write(self.start.role)}; known are {known}")
        belief = Belief(interpreter, role, self.random)
        belief.moves()
        return rules, belief

    def wait_until_ready(self, arrived: float) -> None:
        """Wait for the preparation, as long as the start clock allows."""
        clock = self.start.start_clock
        self.ready.wait(max(0.0, arrived + clock - self.margin.for_clock(clock) - monotonic()))

    # Turns.

    def play(self, last: LastTurn | None, arrived: float) -> Term | None:
        """The move to make after what has happened; None where there is none, or none is known in time."""
        self.heard = monotonic()
        latest = self.times.latest(arrived)
        asked = PlayRequest(last, arrived, self.times.deadline(arrived))
        threading.Thread(target=self._take, args=(asked,), name="turn", daemon=True).start()
        asked.placed.wait(max(0.0, latest - monotonic()))
        turn = asked.turn
        if turn is None:
            return None
        turn.done.wait(max(0.0, latest - monotonic()))
        with self._lock:
            turn.given = True
            if turn.answer is None and turn.legal:
                best = self.mind.best_so_far(turn.number)
                turn.answer = best if best in turn.legal else self.random.choice(turn.legal)
                how = "the best so far" if best in turn.legal else "drawn"
                self.say(f"match {self.id}: turn {turn.number}, {write(turn.answer)} ({how}: the search is late)")
            return turn.answer

    def _take(self, asked: PlayRequest) -> None:
        """Find out which turn a message is about; if it is a new one, think."""
        new: list[Turn] = []
        try:
            self.readable.wait()
            if self._belief is not None:
                with self._placing:
                    new = self._place(asked, self._belief)
                    asked.placed.set()
                for turn in new[:-1]:
                    turn.done.set()  # others are on their way already
                if new:
                    self._choose(new[-1], self._belief)
        except Exception as error:  # noqa: BLE001  (an answer must go out)
            self.say(f"match {self.id}: a turn went wrong: {failure_text(error)}")
        finally:
            asked.placed.set()
            for turn in new:
                turn.done.set()

    def _place(self, asked: PlayRequest, belief: Belief) -> list[Turn]:
        """Put a message in its place; the turns that begin with it.

        Messages that came one after the other may be read in another order. One that makes no sense yet is kept, until
        it does by another one that came before it, or until one that came after it is in its place.
        """
        turn = self._next(asked, belief)
        if turn is None:
            if self._turn is not None and asked.last != self._turn.last:
                self._early = sorted([*self._early, asked], key=lambda one: one.arrived)[-MAX_PENDING:]
            asked.turn = self._turn
            return []
        new = [turn]
        asked.turn = turn
        early = [one for one in self._early if one.arrived > asked.arrived]
        while early and (turn := self._next(early[0], belief)) is not None:
            early.pop(0).turn = turn
            new.append(turn)
        self._early = early
        return new

    def _next(self, asked: PlayRequest, belief: Belief) -> Turn | None:
        """The turn that begins with a message; None if it comes again, or makes no sense here."""
        now = self._turn
        if now is not None:
            if asked.last is None or (asked.last == now.last and not now.given):
                return None
            if not self._follow(belief, asked.last, now, asked.deadline):
                if asked.last != now.last:
                    self.say(f"match {self.id}: what is told of the last turn is not legal here; the position stays")
                return None
        elif asked.last is not None and not self._follow(belief, asked.last, None, asked.deadline):
            self.say(f"match {self.id}: what is told of the last turn is not legal here; the position stays")
        number = 0 if now is None else now.number + 1
        self._turn = Turn(number, asked.last, asked.deadline, belief.moves())
        return self._turn

    def _follow(self, belief: Belief, last: LastTurn, now: Turn | None, deadline: float) -> bool:
        """Bring the belief up to date; whether what happened can have happened."""
        joint = belief.joint(last.moves_or_percepts) if last.own is None else None
        if joint is not None:
            if now is not None and now.answer is not None and joint[belief.role] != now.answer:
                taken, ours = write(joint[belief.role]), write(now.answer)
                self.say(f"match {self.id}: the manager took {taken} for our move, not {ours}")
            belief.advance(joint)
            return True
        if not belief.perceptive:
            return False
        told = last.own if last.own is not None else now.answer if now is not None else None
        own = None if told is None else belief.match_legal(belief.role, told)
        if own is None:
            return False
        if not belief.update(own, last.moves_or_percepts, lambda: deadline - monotonic()):
            self.say(f"match {self.id}: nothing explains what was perceived; some moves are taken to have been made")
        return True

    def _choose(self, turn: Turn, belief: Belief) -> None:
        """Search, if there is something to choose."""
        if len(turn.legal) < 2:
            turn.answer = turn.legal[0] if turn.legal else None
            return
        thought = self._thought(turn, belief.position)
        self.times.ended(monotonic() - turn.deadline)
        with self._lock:
            if turn.answer is not None:
                return
            found = thought is not None and thought.move in turn.legal
            turn.answer = thought.move if found and thought is not None else self.random.choice(turn.legal)
        how = "drawn"
        if thought is not None and found:
            how = f"{thought.simulations:,} simulations, value {thought.value:.2f}"
        self.say(f"match {self.id}: turn {turn.number}, {write(turn.answer)} ({how})")

    def _thought(self, turn: Turn, position: Fluents) -> ChosenMove | None:
        """What the best board that has such positions gives."""

        def wanted() -> bool:
            return self._turn is turn and not self.over

        for board in list(self._boards):
            try:
                thought = self.mind.choose(board, position, turn.deadline, turn.number, wanted)
            except Exception as error:  # noqa: BLE001  (the next one may do)
                self.say(f"match {self.id}: it cannot be played {board.kind}: {failure_text(error)}")
                self._boards = [one for one in self._boards if one is not board]
                continue
            if thought is not None:
                return thought
        return None

    def end(self, last: LastTurn | None = None) -> None:
        """The match is over; what came out is said when it is known."""
        self.over = True
        if last is not None:
            threading.Thread(target=self._tell_goals, args=(last,), name="result", daemon=True).start()

    def _tell_goals(self, last: LastTurn) -> None:
        try:
            belief = self._belief
            if belief is None:
                return
            with self._placing:
                if not self._follow(belief, last, self._turn, monotonic() + 1.0):
                    return
                rules, position = belief.interpreter, belief.position
                if rules.terminal(position):
                    goals = ", ".join(f"{write(role)} {rules.goal(position, role)}" for role in rules.roles)
                    self.say(f"match {self.id}: the result is {goals}")
        except Exception as error:  # noqa: BLE001  (nothing depends on it)
            self.say(f"match {self.id}: the result is not known: {failure_text(error)}")


def failure_text(error: Exception) -> str:
    """What went wrong, in a sentence."""
    return str(error) if isinstance(error, RamifyError) else author_error_text(error) or error_text(error)
