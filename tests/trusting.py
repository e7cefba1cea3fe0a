"""Files that are broken on purpose, to see what happens after their first trial: nobody tries them here."""

from contextlib import nullcontext

import ramify.agents.checking.precheck
import ramify.contract.checking.precheck


def trust_all(put=setattr):
    """No file is new to either guard from now on; a test gives ``monkeypatch.setattr``."""
    for guard in (ramify.contract.checking.precheck, ramify.agents.checking.precheck):
        put(guard, "on_first_use", lambda *_: nullcontext(False))
