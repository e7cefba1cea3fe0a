"""Settings shared by all tests."""

from hypothesis import settings

# The same examples every time, and none timed: a test passes always or never.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")
