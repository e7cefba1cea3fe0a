"""Measure the cost of bonuses: Breakthrough simulations per second next to ``score``, in turns as in ``policies.py``.

Run: python benchmarks/rewards.py [--rounds 40] [--simulations 4000]
"""

import argparse

from policies import measure

REWARDS = {
    "relative": "relative_bonus(k=8)",
    "qualitative": "qualitative_bonus(k=2)",
    "both": "relative_bonus(k=8, then=qualitative_bonus(k=2))",
    "both, online": "relative_bonus(k=8, online=true, then=qualitative_bonus(k=2, online=true))",
    "quality alone": "quality",
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--simulations", type=int, default=4000)
    asked = parser.parse_args()
    print(f"{'reward':20} {'simulations/s':>14} {'best of score':>13} {'median ratio':>13}")
    measure({name: f"mcts(reward={text})" for name, text in REWARDS.items()}, "mcts", asked.rounds, asked.simulations)
