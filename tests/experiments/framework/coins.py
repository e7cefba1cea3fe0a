"""A small experiment in a file of its own, as a user would write it: coins with a known chance of heads."""

import os
import random
import time
from dataclasses import dataclass

from ramify.experiments.framework.claims import OURS, Claim, above, judge
from ramify.experiments.framework.estimates import format_interval, share, share_difference
from ramify.experiments.framework.experiment import Experiment, Part, Point, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, Findings
from ramify.experiments.framework.work import Work


@dataclass(frozen=True)
class Coin(Work):
    """A trial is a throw."""

    chance: float

    def run(self, seed, first, count):
        time.sleep(float(os.environ.get("COIN_SECONDS", "0")))
        throws = [random.Random(f"{seed}/{trial}").random() < self.chance for trial in range(first, first + count)]
        return {"heads": sum(throws), "thrown": {str(place): 1 for place in range(first, first + count)}}


def points(throws):
    return [
        Point("fair", Coin(0.5), trials=throws, chunk=3, stream="luck"),
        Point("bent", Coin(0.8), trials=throws, chunk=4, stream="luck"),
    ]


def bent(results):
    """Findings about the bent coin alone."""
    assert list(results) == ["bent"]
    heads = share(results["bent"].total("heads"), results["bent"].trials)
    return Findings([Exhibit("Bent coin", "heads", [Claim("above one half", OURS, judge(above(heads, 0.5)))])])


def findings(results):
    heads = {key: share(measured.total("heads"), measured.trials) for key, measured in results.items()}
    rows = [[key, format_interval(interval)] for key, interval in heads.items()]
    gain = share_difference(heads["bent"], heads["fair"])
    return Findings(
        [
            Exhibit(
                "Coins",
                "heads by coin",
                [Claim("bent coins fall on heads", OURS, judge(above(gain)))],
                [DataTable("Heads", ["coin", "share"], rows)],
            )
        ]
    )


EXPERIMENT = Experiment(
    id="coins",
    paper="nobody",
    part="nothing",
    shows="Bent coins fall on heads more often.",
    setup="{throws} throws of each coin.",
    scales={
        "smoke": Scale({"throws": 10}, 0.1),
        "quick": Scale({"throws": 100}, 0.1),
        "paper": Scale({"throws": 1000}, 0.1),
    },
    points=points,
    findings=findings,
    parts={"bent": Part("bent coin", "The bent coin falls on heads.", lambda key: key == "bent", bent)},
)
