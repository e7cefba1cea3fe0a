"""Runs every match and preview in its own process, so strangers' rules can neither block nor crash the player."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic

from ramify.errors import RamifyError
from ramify.players.ggp.match_messages import PreviewTask
from ramify.players.ggp.match_process import MatchProcess
from ramify.players.ggp.messages import Start
from ramify.players.ggp.process_launcher import ChildProcess, Launcher
from ramify.players.ggp.timing import Margin

PREVIEW_SECONDS = 120.0

Log = Callable[[str], object]


class PreviewProcess:
    """A process that builds what a match needs. It is killed after PREVIEW_SECONDS."""

    def __init__(self, process: ChildProcess, log: Log) -> None:
        self.process = process
        self.log = log
        self.ended = threading.Event()
        self._refusal: str | None = None
        threading.Thread(target=self._listen, name="preview", daemon=True).start()

    def wait(self, deadline: float) -> None:
        """Wait until it is complete, at most until the deadline. Raise RamifyError if the rules cannot be played."""
        self.ended.wait(max(0.0, deadline - monotonic()))
        if self._refusal is not None:
            raise RamifyError(self._refusal)

    def _listen(self) -> None:
        deadline = monotonic() + PREVIEW_SECONDS
        while (message := self.process.receive(max(0.0, deadline - monotonic()))) is not None:
            match message:
                case ("log", text):
                    self.log(text)
                case ("ready", refusal):
                    self._refusal = refusal
                case ("ended", reason):
                    self.log(f"preview: the process has died: {reason}")
                case _:
                    self.log(f"preview: ended after {PREVIEW_SECONDS:g} s")
                    self.process.kill()
                    self.process.close()
                    break
        self.ended.set()


class ProcessRunner:
    """Runs matches side by side, and one preview at a time while there is no match."""

    def __init__(self, launcher: Launcher, margin: Margin, log: Log) -> None:
        self.launcher = launcher
        self.margin = margin
        self.log = log
        self._preview: PreviewProcess | None = None

    def match(self, start: Start, seed: int) -> MatchProcess:
        """Start a match, and end a preview that is in progress."""
        if self._preview is not None:
            self._preview.process.kill()
        return MatchProcess(start, seed=seed, margin=self.margin, log=self.log, launcher=self.launcher)

    def preview(self, rules: str) -> PreviewProcess | None:
        """Start to prepare for a match. Return None if another preview is in progress."""
        if self._preview is not None and not self._preview.ended.is_set():
            return None
        self._preview = PreviewProcess(self.launcher.launch(PreviewTask(rules)), self.log)
        return self._preview

    def close(self) -> None:
        """End all processes."""
        self.launcher.close()
