"""The source of a policy's kernels, made from the names its functions ask for.

Every kernel is a few lines around the author's function: views of the memory that function asked for, then the call.
A statistic nobody asked for is neither read nor computed.
"""

from ramify.core.vector import formulas
from ramify.strategies.policy.layout import (
    ARRAYS,
    OF_AMAF,
    OF_ONE_ARM,
    OF_THE_NODE,
    OWN,
)
from ramify.strategies.policy.templates import (
    AMAF_ARM,
    AMAF_PLACES,
    AMAF_VIEWS,
    BRANCHING_ARM,
    CHOICE_KERNEL,
    EVERY_ARM,
    FILLING_KERNEL,
    FILLS,
    FIRST,
    FOUR_OF_ALL,
    FOUR_OF_AMAF,
    FOUR_VISITED,
    INDEX_KERNEL,
    LANES_CROWD,
    LANES_KERNEL,
    LANES_PASSED,
    LANES_READY,
    LANES_READY_OF_ALL,
    LANES_SURVEY,
    LEARNING_KERNEL,
    PER_ARM,
    PLACES,
    VIEWS,
)


def index_source(name: str, asked: tuple[str, ...], constants: tuple[str, ...], kept: dict[str, str]) -> str:
    """The kernel around a function that gives the index of one arm."""
    sees_all = "fpu" in asked or "fpu" in constants
    if sees_amaf(asked):
        sees_all, arm = True, AMAF_ARM
    else:
        arm = EVERY_ARM if sees_all else BRANCHING_ARM
    indent = "\n" + " " * (12 if arm in (BRANCHING_ARM, AMAF_ARM) else 8)
    lines_of = PER_ARM | {"s": "s = deviation(squares[k], arms[k].total, n)"} if sees_all else PER_ARM
    ready = indent.join(lines_of[q] for q in asked if q in lines_of) or "pass"
    given = [f"kept_{q}[k]" if q in kept else q for q in asked]
    return INDEX_KERNEL.format(
        name=name,
        places=PLACES,
        fpu=own_fpu(constants),
        first="pass" if sees_all else FIRST.format(urgent=" and fpu >= URGENT"),
        views=lines([*views(asked, kept), *(f"c{k} = {c}" for k, c in enumerate(numbers(constants)))]),
        arm=arm.format(ready=ready, arguments=", ".join([*given, *(f"c{k}" for k in range(len(constants)))])),
    )


def lanes_source(name: str, asked: tuple[str, ...], constants: tuple[str, ...], kept: dict[str, str]) -> str:
    """The kernel around a formula that gives the indices of four arms at a time."""
    sees_all = "fpu" in asked or "fpu" in constants
    amaf = sees_amaf(asked)
    known = LANES_READY_OF_ALL if sees_all else LANES_READY
    own = [q for q in asked if q in kept]
    ready = [known[q] for q in asked if q in known] + [f"kept_{q} = floats_at(at_{q} + 8 * k, 8)" for q in own]
    views = [VIEWS[q] for q in asked if q in ("lnn", "lnK")]
    views += [LANES_SURVEY] if "m_max" in asked or "t_max" in asked else []
    views += ["stride = block.stride", "offset = block.offset"] if own else []
    views += [f"at_{q} = kept_ + 8 * stride * ({kept[q]})" for q in own]
    views += [AMAF_PLACES] if amaf else []
    passed = ["counts_", "totals_"] if amaf else []
    passed += [LANES_PASSED[q] for q in asked if q in LANES_PASSED] + [f"at_{q}" for q in own]
    given = [f"c{k}" for k in range(len(constants))]
    arm = FOUR_OF_AMAF if amaf else FOUR_OF_ALL if sees_all else FOUR_VISITED
    return LANES_KERNEL.format(
        name=name,
        places=PLACES,
        fpu=own_fpu(constants) if sees_all else "inf if block.fpu >= URGENT else block.fpu",
        crowd="pass" if amaf or sees_all else LANES_CROWD,
        views=lines(views),
        passed=", ".join([*passed, *given]),
        given=", ".join([*passed, *numbers(constants)]),
        arm=arm.format(
            ready="\n    ".join(ready) or "pass",
            arguments=", ".join([*(f"kept_{q}" if q in kept else q for q in asked), *given]),
        ),
    )


def kinds(asked: tuple[str, ...], constants: tuple[str, ...], kept: tuple[str, ...]) -> dict[str, str]:
    """What the parameters of an index hold when it is computed for four arms; a name is missing if it cannot be."""
    made = dict.fromkeys([*OF_ONE_ARM, *(q for q in kept if not q.endswith("_each"))], formulas.LANES)
    made |= dict.fromkeys([*OF_THE_NODE, "m_max", "t_max", "fpu", *constants], formulas.NUMBER)
    made["memory"] = formulas.ARRAY
    return {q: made[q] for q in (*asked, *constants) if q in made}


def sees_amaf(asked: tuple[str, ...]) -> bool:
    """Whether a function asks for sums over all moves as first."""
    return any(q in asked for q in OF_AMAF)


def choice_source(name: str, asked: tuple[str, ...], constants: tuple[str, ...], kept: dict[str, str]) -> str:
    """The kernel around a function that chooses among all arms."""
    return CHOICE_KERNEL.format(
        name=name,
        places=PLACES,
        fpu=own_fpu(constants),
        first=FIRST.format(urgent="") if waits(asked) and "fpu" not in (*asked, *constants) else "pass",
        views=lines(views(asked, kept)),
        arguments=", ".join([*(f"kept_{q}" if q in kept else q for q in asked), *numbers(constants)]),
    )


def filling_source(name: str, asked: tuple[str, ...], constants: tuple[str, ...], kept: dict[str, str]) -> str:
    """The kernel around a function that fills in the indices of all arms."""
    return FILLING_KERNEL.format(
        name=name,
        places=PLACES,
        first=FIRST.format(urgent=" and fpu >= URGENT"),
        views=lines(views(asked, kept)),
        arguments=", ".join([*(f"kept_{q}" if q in kept else q for q in asked), *numbers(constants)]),
    )


def waits(asked: tuple[str, ...]) -> bool:
    """Whether a function that chooses needs every arm to have been visited."""
    return any(q in ARRAYS[:3] for q in asked)


def learning_source(name: str, asked: tuple[str, ...], constants: tuple[str, ...], kept: dict[str, str]) -> str:
    """The kernel around a function that learns from a simulation."""
    made = dict(zip(constants, numbers(constants), strict=True))
    made |= {q: f"kept_{q}" for q in asked if q.removeprefix("own_") in kept}
    return LEARNING_KERNEL.format(
        name=name,
        places=PLACES,
        views=lines(views(asked, kept)),
        arguments=", ".join(made.get(q, q) for q in asked),
    )


def own_fpu(constants: tuple[str, ...]) -> str:
    """Where first-play urgency stands: a policy's own constant of that name comes before the agent's."""
    return f"block.{OWN}fpu" if "fpu" in constants else "block.fpu"


def numbers(constants: tuple[str, ...]) -> list[str]:
    """The constants of a policy, as they stand in its block."""
    return [f"block.{OWN}{name}" for name in constants]


def lines(parts: list[str]) -> str:
    """Lines of a kernel's body."""
    return "\n    ".join(parts) or "pass"


def views(asked: tuple[str, ...], kept: dict[str, str]) -> list[str]:
    """The lines that make the quantities ready that a function asks for."""
    made = list(dict.fromkeys(VIEWS[q] for q in asked if q in VIEWS))
    if sees_amaf(asked):
        made.append(AMAF_VIEWS)
    for place, q in enumerate(ARRAYS, start=1):
        if q in asked:
            made.append(f"{q} = array(scratch + {8 * place} * count, count, float64)")
            made.append(f"for j in range(count):\n        {q}[j] = {FILLS[q]}")
    own = [q for q in asked if q.removeprefix("own_") in kept]
    if own:
        made += [f"{name} = block.{name}" for name in ("stride", "offset", "players")]
    return made + [kept_view(q, kept) for q in own]


def kept_view(asked: str, kept: dict[str, str]) -> str:
    """A view of a statistic that a policy keeps: one number an arm, or one a player and arm, or the node's own.

    Each statistic is a column of its own over all nodes, ``stride`` numbers long.
    """
    name = asked.removeprefix("own_")
    base, count = ("own_", "1") if asked != name else ("kept_", "count")
    start = f"{base} + 8 * stride * ({kept[name]})"
    if not name.endswith("_each"):
        return f"kept_{asked} = array({start}, {count}, float64)"
    return f"kept_{asked} = table({start}, players, stride, float64)"
