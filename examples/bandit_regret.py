"""Cumulative regret of five policies on Bernoulli arms, drawn as docs/pictures/bandit_regret.png.

Run: python examples/bandit_regret.py [picture] [tasks]
"""

import os
import sys

import matplotlib as mpl
import numpy as np

from ramify import bandits

mpl.use("Agg")
import matplotlib.pyplot as plt

SCENES = {
    "two arms: 0.9, 0.8": [0.9, 0.8],
    "ten arms: 0.1, 3 x 0.05, 3 x 0.02, 3 x 0.01": [0.1, *[0.05] * 3, *[0.02] * 3, *[0.01] * 3],
}
POLICIES = {
    "UCB1, c = √2": "ucb1(c=1.4142135623730951)",
    "MOSS": "moss",
    "UCB1-Tuned": "ucb1_tuned",
    "KL-UCB": "kl_ucb",
    "Thompson": "thompson",
}
PULLS = 10_000


def main(picture="docs/pictures/bandit_regret.png", tasks=1000):
    threads = os.cpu_count() or 1
    figure, axes = plt.subplots(1, len(SCENES), figsize=(11, 4.2), layout="constrained")
    times = np.unique(np.geomspace(10, PULLS, 60).round().astype(int))
    for panel, (title, chances) in zip(axes, SCENES.items(), strict=True):
        bandit = bandits.bernoulli(chances)
        print(title)
        for name, policy in POLICIES.items():
            result = bandits.run(bandit, policy, pulls=PULLS, tasks=int(tasks), seed=1, times=times, threads=threads)
            mean, half = bandits.mean_and_interval(result.regret)
            print(f"  {name:14} {mean[-1]:7.1f} +- {half[-1]:.1f}")
            (line,) = panel.plot(times, mean, label=name)
            panel.fill_between(times, mean - half, mean + half, color=line.get_color(), alpha=0.2, linewidth=0)
        panel.set(title=title, xscale="log", xlabel="pulls", ylabel="cumulative regret", xlim=(times[0], times[-1]))
        panel.grid(alpha=0.3)
    axes[0].legend(frameon=False)
    figure.savefig(picture, dpi=80)


if __name__ == "__main__":
    main(*sys.argv[1:])
