"""One match of a GGP player.

Threads that deliver messages never wait longer than the clock allows. Preparation and turns run in their own threads.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from random import Random
from time import monotonic

from ramify.agents.agent import Agent
from ramify.contract.author_errors import author_error_text, error_text
from ramify.errors import RamifyError
from ramify.ggp.interpreter import Fluents, Interpreter
from ramify.ggp.kif import Term, write
from ramify.ggp.rules import RANDOM, Rulesheet
from ramify.players.ggp.belief import Belief
from ramify.players.ggp.match_messages import PlayedTurn
from ramify.players.ggp.match_search import ChosenMove, MatchSearch
from ramify.players.ggp.messages import LastTurn, Start, folded
from ramify.players.ggp.role_games import RoleGame, role_games
from ramify.players.ggp.timing import ManagerClock, Margin, TurnTimes

Log = Callable[[str], object]
RoleGameFactory = Callable[[Rulesheet, Term], Iterator[RoleGame]]
MAX_PENDING = 16  # messages kept because they do not fit the position yet
REPLAY_SECONDS = 2.0  # per turn to find positions that explain the percepts of an earlier turn


class Turn:
    """One turn: the moves or percepts before it, and the answer once it is known."""

    def __init__(self, number: int, last: LastTurn | None, deadline: float, legal: list[Term]) -> None:
        self.number = number
        self.last = last
        self.deadline = deadline  # of the search
        self.legal = legal
        self.answer: Term | None = None
        self.done = threading.Event()
        self.given = False  # whether the answer was sent

    def give(self, answer: Term | None) -> None:
        """Set the answer that was sent."""
        self.answer = answer
        self.given = True


class PlayRequest:
    """A play message, and its turn once that is known."""

    def __init__(self, last: LastTurn | None, arrived: float, deadline: float, latest: float) -> None:
        self.last = last
        self.arrived = arrived
        self.deadline = deadline  # of the search
        self.latest = latest  # time at which an answer must be sent
        self.turn: Turn | None = None
        self.placed = threading.Event()


class Match:
    """A match in play."""

    def __init__(
        self,
        start: Start,
        agent: Agent,
        *,
        seed: int,
        margin: Margin,
        log: Log,
        make_role_games: RoleGameFactory = role_games,
        history: Sequence[PlayedTurn] = (),
        tree_bytes: int | None = None,
        on_first: Callable[[Term], object] = lambda _: None,
    ) -> None:
        """``history``: the turns played before, if this continues a match. ``tree_bytes``: memory for the tree.

        ``on_first``: called with a legal move of the initial position as soon as one is known.
        """
        self.start = start
        self.margin = margin
        self.log = log
        self.random = Random(seed)  # noqa: S311
        self.times = TurnTimes(start.play_clock, margin)
        self.match_search = MatchSearch(agent, lambda: self.random.getrandbits(32), tree_bytes)
        self.manager = ManagerClock(start.start_clock, start.play_clock)
        self.over = False
        self.refusal: str | None = None  # why the rules cannot be played
        self.readable = threading.Event()  # the rules are parsed, or rejected
        self.ready = threading.Event()  # preparation is complete
        self.started: list[LastTurn | None] = []  # the messages that started turns
        self._on_first = on_first
        self._make_role_games = make_role_games
        self._history = history
        self._belief: Belief | None = None
        self._role_games: list[RoleGame] = []  # fastest first
        self._turn: Turn | None = None
        self._pending: list[PlayRequest] = []  # messages that do not fit the position yet, by arrival
        self._lock = threading.Lock()
        self._belief_lock = threading.Lock()
        threading.Thread(target=self._prepare, name="preparation", daemon=True).start()

    @property
    def id(self) -> str:
        """The manager's name of the match."""
        return self.start.match

    def _prepare(self) -> None:
        """Parse the rules, then build the games that a search can play, slow ones first."""
        try:
            began = monotonic()
            rules, belief = self._read()
            self._replay(belief)
            self._belief = belief
        except Exception as error:  # noqa: BLE001  (no rules may stop the player)
            self.refusal = failure_text(error)
            self.ready.set()
            return
        finally:
            self.readable.set()
        try:
            for role_game in self._make_role_games(rules, belief.role):
                self.match_search.prepare(role_game, belief.interpreter.initial())
                self._role_games = [role_game, *self._role_games]
                self.log(f"match {self.id}: ready to play {role_game.kind} after {monotonic() - began:.1f} s")
        except Exception as error:  # noqa: BLE001
            self.log(f"match {self.id}: preparation stopped: {failure_text(error)}")
        finally:
            self.ready.set()

    def _read(self) -> tuple[Rulesheet, Belief]:
        rules = Rulesheet.from_text(self.start.rules, "the rules")
        interpreter = Interpreter(rules)
        role = next((one for one in rules.roles if folded(one) == folded(self.start.role)), None)
        if role is None or role == RANDOM:
            known = ", ".join(write(one) for one in rules.roles if one != RANDOM)
            raise RamifyError(f"unknown role {write(self.start.role)}: the roles are {known}")
        belief = Belief(interpreter, role, self.random)
        first = belief.some_move()
        if first is not None:
            self._on_first(first)
        belief.moves()
        return rules, belief

    def _replay(self, belief: Belief) -> None:
        """Start at the turn after the history."""
        for last, answer in self._history:
            now = monotonic()
            turn = self._next(PlayRequest(last, now, now + REPLAY_SECONDS, now), belief)
            if turn is not None:
                turn.give(answer)
                turn.done.set()

    def wait_until_ready(self, arrived: float) -> None:
        """Wait until preparation is complete or the start clock runs out."""
        clock = self.start.start_clock
        self.ready.wait(max(0.0, arrived + clock - self.margin.for_clock(clock) - monotonic()))

    # Turns.

    def play(self, last: LastTurn | None, arrived: float) -> Term | None:
        """Return the move to play after the last turn, or None if there is none in time."""
        return self.answer(self.request(last, arrived))

    def request(self, last: LastTurn | None, arrived: float) -> PlayRequest:
        """Start to choose the move after the last turn."""
        self.manager.heard()
        request = PlayRequest(last, arrived, self.times.deadline(arrived), self.times.latest(arrived))
        threading.Thread(target=self._handle, args=(request,), name="turn", daemon=True).start()
        return request

    def chosen(self, request: PlayRequest, seconds: float = math.inf) -> bool:
        """Wait at most so many seconds for the choice of a move. Return True if it is known, or if there is no time."""
        deadline = min(request.latest, monotonic() + seconds)
        if request.placed.wait(max(0.0, deadline - monotonic())) and (
            request.turn is None or request.turn.done.wait(max(0.0, deadline - monotonic()))
        ):
            return True
        return deadline == request.latest

    def best_so_far(self, request: PlayRequest) -> Term | None:
        """Return the best move at present, at first any legal one, or None if none is known."""
        turn = request.turn
        if turn is None or turn.answer is not None or not turn.legal:
            return None if turn is None else turn.answer
        best = self.match_search.best_so_far(turn.number)
        return best if best in turn.legal else turn.legal[0]

    def answer(self, request: PlayRequest) -> Term | None:
        """Return the move to play, or None if there is none in time."""
        self.chosen(request)
        turn = request.turn
        if turn is None:
            return None
        with self._lock:
            turn.given = True
            if turn.answer is None and turn.legal:
                best = self.match_search.best_so_far(turn.number)
                turn.answer = best if best in turn.legal else self.random.choice(turn.legal)
                how = "best so far" if best in turn.legal else "random"
                self.log(f"match {self.id}: turn {turn.number}, {write(turn.answer)} ({how}: the search is late)")
            return turn.answer

    def _handle(self, request: PlayRequest) -> None:
        """Find the turn of a message. If it starts a new turn, choose a move."""
        new: list[Turn] = []
        try:
            self.readable.wait()
            if self._belief is not None:
                with self._belief_lock:
                    new = self._place(request, self._belief)
                    request.placed.set()
                for turn in new[:-1]:
                    turn.done.set()  # a later turn has already started
                if new:
                    self._choose(new[-1], self._belief)
        except Exception as error:  # noqa: BLE001  (an answer must be sent)
            self.log(f"match {self.id}: a turn failed: {failure_text(error)}")
        finally:
            request.placed.set()
            for turn in new:
                turn.done.set()

    def _place(self, request: PlayRequest, belief: Belief) -> list[Turn]:
        """Assign a message to a turn. Return the turns that start with it.

        Messages may be read in another order than they arrived. A message that does not fit the position is pending
        until an earlier one makes it fit, or until a later one is placed.
        """
        turn = self._next(request, belief)
        if turn is None:
            if self._turn is not None and request.last != self._turn.last:
                self._pending = sorted([*self._pending, request], key=lambda one: one.arrived)[-MAX_PENDING:]
            request.turn = self._turn
            return []
        new = [turn]
        request.turn = turn
        pending = [one for one in self._pending if one.arrived > request.arrived]
        while pending and (turn := self._next(pending[0], belief)) is not None:
            pending.pop(0).turn = turn
            new.append(turn)
        self._pending = pending
        return new

    def _next(self, request: PlayRequest, belief: Belief) -> Turn | None:
        """Return the turn that starts with a message, or None if it is a repetition or does not fit the position."""
        now = self._turn
        if now is not None:
            if request.last is None or (request.last == now.last and not now.given):
                return None
            if not self._update_belief(belief, request.last, now, request.deadline):
                if request.last != now.last:
                    self.log(f"match {self.id}: ignored moves of the last turn that are not legal here")
                return None
        elif request.last is not None and not self._update_belief(belief, request.last, None, request.deadline):
            self.log(f"match {self.id}: ignored moves of the last turn that are not legal here")
        number = 0 if now is None else now.number + 1
        first = belief.some_move()
        turn = Turn(number, request.last, request.deadline, [] if first is None else [first])
        request.turn = self._turn = turn  # from now on it can be answered
        self.started.append(request.last)
        self.manager.advanced()
        turn.legal = belief.moves()
        return turn

    def _update_belief(self, belief: Belief, last: LastTurn, now: Turn | None, deadline: float) -> bool:
        """Update the belief with the last turn. Return False if it is not possible in this position."""
        joint = belief.joint(last.moves_or_percepts) if last.own is None else None
        if joint is not None:
            if now is not None and now.answer is not None and joint[belief.role] != now.answer:
                played, sent = write(joint[belief.role]), write(now.answer)
                self.log(f"match {self.id}: the manager played {played} for us instead of {sent}")
            belief.advance(joint)
            return True
        if not belief.perceptive:
            return False
        move = last.own if last.own is not None else now.answer if now is not None else None
        own = None if move is None else belief.match_legal(belief.role, move)
        if own is None:
            return False
        if not belief.update(own, last.moves_or_percepts, lambda: deadline - monotonic()):
            self.log(f"match {self.id}: no position explains the percepts; assuming arbitrary moves")
        return True

    def _choose(self, turn: Turn, belief: Belief) -> None:
        """Choose the answer of a turn; search if there are several legal moves."""
        if len(turn.legal) < 2:
            turn.answer = turn.legal[0] if turn.legal else None
            return
        chosen = self._search(turn, belief.position)
        self.times.ended(monotonic() - turn.deadline)
        with self._lock:
            if turn.answer is not None:
                return
            found = chosen is not None and chosen.move in turn.legal
            turn.answer = chosen.move if found and chosen is not None else self.random.choice(turn.legal)
        how = "random"
        if chosen is not None and found:
            how = f"{chosen.simulations:,} simulations, value {chosen.value:.2f}"
        self.log(f"match {self.id}: turn {turn.number}, {write(turn.answer)} ({how})")

    def _search(self, turn: Turn, position: Fluents) -> ChosenMove | None:
        """Return the move of the fastest role game that can search this position, or None if none can."""

        def wanted() -> bool:
            return self._turn is turn and not self.over

        for role_game in list(self._role_games):
            try:
                chosen = self.match_search.choose(role_game, position, turn.deadline, turn.number, wanted)
            except Exception as error:  # noqa: BLE001  (try the next one)
                self.log(f"match {self.id}: cannot play {role_game.kind}: {failure_text(error)}")
                self._role_games = [one for one in self._role_games if one is not role_game]
                continue
            if chosen is not None:
                return chosen
        return None

    def end(self, last: LastTurn | None = None) -> None:
        """End the match. Log its result in a thread if the last turn is given."""
        self.over = True
        if last is not None:
            threading.Thread(target=self.finish, args=(last,), name="result", daemon=True).start()

    def finish(self, last: LastTurn) -> None:
        """End the match and log its result."""
        self.over = True
        try:
            belief = self._belief
            if belief is None:
                return
            with self._belief_lock:
                if not self._update_belief(belief, last, self._turn, monotonic() + 1.0):
                    return
                rules, position = belief.interpreter, belief.position
                if rules.terminal(position):
                    goals = ", ".join(f"{write(role)} {rules.goal(position, role)}" for role in rules.roles)
                    self.log(f"match {self.id}: the result is {goals}")
        except Exception as error:  # noqa: BLE001  (only a log message)
            self.log(f"match {self.id}: the result is unknown: {failure_text(error)}")


def failure_text(error: Exception) -> str:
    """Return an error's text for the log."""
    return str(error) if isinstance(error, RamifyError) else author_error_text(error) or error_text(error)
