"""Runs matches in the player's process: for tests and experiments, not for strangers' rules."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic

from ramify.agents.agent import Agent
from ramify.errors import RamifyError
from ramify.ggp.checks import raise_on_errors
from ramify.ggp.rules import Rulesheet
from ramify.players.ggp.match import Match, RoleGameFactory, failure_text
from ramify.players.ggp.messages import Start
from ramify.players.ggp.timing import Margin

Log = Callable[[str], object]


class LocalPreview:
    """Builds what a match needs in a thread."""

    def __init__(self, rules: str, make_role_games: RoleGameFactory, log: Log) -> None:
        self.make_role_games = make_role_games
        self.log = log
        self._refusal: str | None = None
        self.thread = threading.Thread(target=self._prepare, args=(rules,), name="preview", daemon=True)
        self.thread.start()

    def wait(self, deadline: float) -> None:
        """Wait until it is complete, at most until the deadline. Raise RamifyError if the rules cannot be played."""
        self.thread.join(max(0.0, deadline - monotonic()))
        if self._refusal is not None:
            raise RamifyError(self._refusal)

    def _prepare(self, text: str) -> None:
        try:
            rules = Rulesheet.from_text(text, "the rules")
            raise_on_errors(rules)
        except Exception as error:  # noqa: BLE001  (no rules may stop the player)
            self._refusal = failure_text(error)
            return
        try:
            kinds = [role_game.kind for role_game in self.make_role_games(rules, rules.roles[0])]
            self.log(f"preview: ready to play {kinds[-1]}")
        except Exception as error:  # noqa: BLE001  (only a preview)
            self.log(f"preview: {failure_text(error)}")


class LocalRunner:
    """Runs matches in threads."""

    def __init__(self, agent: Agent, make_role_games: RoleGameFactory, margin: Margin, log: Log) -> None:
        self.agent = agent
        self.make_role_games = make_role_games
        self.margin = margin
        self.log = log
        self._preview: LocalPreview | None = None

    def match(self, start: Start, seed: int) -> Match:
        """Start a match."""
        return Match(
            start, self.agent, seed=seed, margin=self.margin, log=self.log, make_role_games=self.make_role_games
        )

    def preview(self, rules: str) -> LocalPreview | None:
        """Start to prepare for a match. Return None if another preview is in progress."""
        if self._preview is not None and self._preview.thread.is_alive():
            return None
        self._preview = LocalPreview(rules, self.make_role_games, self.log)
        return self._preview

    def close(self) -> None:
        """Nothing to end: threads end with the process."""
