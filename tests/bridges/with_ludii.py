"""Where Ludii's jar is, for the tests that need it."""

import os

import pytest

needs_jar = pytest.mark.skipif(
    not os.environ.get("RAMIFY_LUDII_JAR"), reason="RAMIFY_LUDII_JAR does not say where Ludii's jar is"
)
