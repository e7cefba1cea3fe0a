from ramify.runs.live_display import duration


def test_times_for_people():
    assert [duration(s) for s in (None, 5, 65, 3700)] == ["-", "0:05", "1:05", "1:01:40"]
