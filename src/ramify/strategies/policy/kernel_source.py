"""Generates the source of a policy's kernels from the parameter names of its functions.

Every kernel is a few lines around the author's function: views of the memory that the function asks for, then the call.
Statistics that are not asked for are neither read nor computed.
"""

from ramify.core.vector import vectorizable
from ramify.core.vector.arm_loops import ArmLoop
from ramify.strategies.policy.block_layout import (
    AMAF_QUANTITIES,
    ARM_QUANTITIES,
    ARRAYS,
    COLUMN,
    CONSTANT_PREFIX,
    JOINT_QUANTITIES,
    MEMORIES,
    NODE_QUANTITIES,
)
from ramify.strategies.policy.kept import EACH, Kept, is_table
from ramify.strategies.policy.kernel_templates import (
    ALWAYS,
    AMAF_PLACES,
    ARM,
    CHOICE_KERNEL,
    FILLING_KERNEL,
    FILLS,
    FIRST,
    INDEX_KERNEL,
    KNOWN,
    LEARNING_KERNEL,
    LIMIT,
    MOSTLY_UNVISITED,
    OF_ARM,
    PASSED,
    PLACES,
    SURVEY,
    VIEWS,
    VISITED,
    WHOLE,
)


def index_source(
    name: str,
    asked: tuple[str, ...],
    constants: tuple[str, ...],
    kept: dict[str, Kept],
    limit: tuple[str, ...] | None,
    loop: ArmLoop,
    four: bool,
) -> str:
    """Return the source for a function that returns the index of one arm."""
    always = "fpu" in (*asked, *constants) or "m_all" in asked
    arm = KNOWN if sees_amaf(asked) else ALWAYS if always else VISITED
    tables = [q for q in asked if q in kept and is_table(q)]
    own = [q for q in asked if q in kept and not is_table(q)]
    urgent = own_fpu(constants)
    views = ["arms = records(children, count, NODE)"] if arm == VISITED and not four else []
    if arm == VISITED:
        views.append((MOSTLY_UNVISITED if four else FIRST).format(urgent=" and fpu == inf"))
    views += [VIEWS[q] for q in asked if q in ("lnn", "lnK", "root", "move_class")]
    views += [SURVEY] if "m_max" in asked or "t_max" in asked else []
    views += [WHOLE] if "m_all" in asked else []
    views += ["stride = block.stride", "offset = block.offset"] if own else []
    views += [f"at_{q} = kept_ + 8 * stride * ({kept[q].place})" for q in own]
    views += [kept_view(q, kept) for q in tables]
    columns = [q for q in asked if q.startswith(COLUMN)]
    views += [f"at_{q} = block.{q} + place" for q in columns]
    views += [AMAF_PLACES] if arm == KNOWN else []
    ready = [arm, *(OF_ARM[q] for q in asked if q in OF_ARM), *(of_one_arm(q, kept[q].size) for q in own)]
    ready += [f"{q} = number_at(at_{q}, k)" for q in columns]
    passed = ["counts_", "totals_"] if arm == KNOWN else []
    passed += [*(PASSED[q] for q in asked if q in PASSED), *(f"at_{q}" for q in (*own, *columns))]
    passed += [*(["stride"] if any(kept[q].size for q in own) else []), *(f"kept_{q}" for q in tables)]
    given = [f"c{k}" for k in range(len(constants))]
    views += [f"{one} = {number}" for one, number in zip(given, numbers(constants), strict=True)]
    answer = f"function({', '.join([*(f'kept_{q}' if q in kept else q for q in asked), *given])})"
    arguments = ", ".join(["children, k, fpu, N, lnN, K, block_", *passed, *given])
    return INDEX_KERNEL.format(
        name=name,
        passed="".join(f", {one}" for one in (*passed, *given)),
        ready=lines(ready),
        index=f"where({ARM[arm]}, {answer}, fpu)" if ARM[arm] else answer,
        places=PLACES,
        fpu=urgent if arm == ALWAYS else f"inf if {urgent} >= URGENT else {urgent}",
        limit=limited(limit, constants),
        views=lines(views),
        loop=loop.source.format(index=f"of_arm({arguments})"),
    )


def of_one_arm(name: str, size: int) -> str:
    """Return the line that reads a statistic of one arm: a number, or an array whose numbers are ``stride`` apart."""
    if not size:
        return f"kept_{name} = number_at(at_{name}, k)"
    return f"kept_{name} = table(at_{name} + 8 * k, {size}, stride, float64)[:, 0]"


def parameter_kinds(asked: tuple[str, ...], constants: tuple[str, ...], kept: dict[str, Kept]) -> dict[str, str]:
    """Return the kind of each parameter when an index is computed for four arms; unsupported parameters are missing."""
    single = [q for q, one in kept.items() if not (one.size or q.endswith(EACH) or is_table(q))]
    columns = [q for q in asked if q.startswith(COLUMN)]
    made = dict.fromkeys([*ARM_QUANTITIES, *single, *columns], vectorizable.LANES)
    made |= dict.fromkeys(filter(is_table, kept), vectorizable.ARRAY)
    made |= dict.fromkeys([*NODE_QUANTITIES, "m_max", "t_max", "m_all", "fpu", *constants], vectorizable.NUMBER)
    made |= dict.fromkeys(MEMORIES, vectorizable.ARRAY)
    return {q: made[q] for q in (*asked, *constants) if q in made}


def sees_amaf(asked: tuple[str, ...]) -> bool:
    """Whether a function asks for AMAF sums."""
    return any(q in asked for q in AMAF_QUANTITIES)


def limited(asked: tuple[str, ...] | None, constants: tuple[str, ...]) -> str:
    """Return the line that limits the candidates, or ''. ``asked``: the parameters of the limiting function."""
    if asked is None:
        return ""
    made = dict(zip(constants, numbers(constants), strict=True)) | {"K": "float64(count)"}
    return LIMIT.format(arguments=", ".join(made.get(q, q) for q in asked))


def choice_source(
    name: str,
    asked: tuple[str, ...],
    constants: tuple[str, ...],
    kept: dict[str, Kept],
    limit: tuple[str, ...] | None,
) -> str:
    """Return the source for a function that chooses among all arms."""
    return CHOICE_KERNEL.format(
        name=name,
        places=PLACES,
        fpu=own_fpu(constants),
        limit=limited(limit, constants),
        first=FIRST.format(urgent="") if needs_all_visited(asked) and "fpu" not in (*asked, *constants) else "",
        views=lines(views(asked, kept)),
        arguments=", ".join([*(f"kept_{q}" if q in kept else q for q in asked), *numbers(constants)]),
    )


def filling_source(
    name: str,
    asked: tuple[str, ...],
    constants: tuple[str, ...],
    kept: dict[str, Kept],
    limit: tuple[str, ...] | None,
) -> str:
    """Return the source for a function that fills in the indices of all arms."""
    return FILLING_KERNEL.format(
        name=name,
        places=PLACES,
        limit=limited(limit, constants),
        first=FIRST.format(urgent=" and fpu >= URGENT"),
        views=lines(views(asked, kept)),
        arguments=", ".join([*(f"kept_{q}" if q in kept else q for q in asked), *numbers(constants)]),
    )


def needs_all_visited(asked: tuple[str, ...]) -> bool:
    """Whether a choosing function needs every arm to have been visited."""
    return any(q in ARRAYS[:3] for q in asked)


def learning_source(name: str, asked: tuple[str, ...], constants: tuple[str, ...], kept: dict[str, Kept]) -> str:
    """Return the source for a function that learns from a simulation."""
    made = dict(zip(constants, numbers(constants), strict=True))
    made |= {q: f"kept_{q}" for q in asked if q.removeprefix("own_") in kept}
    return LEARNING_KERNEL.format(
        name=name,
        places=PLACES,
        views=lines(views(asked, kept)),
        arguments=", ".join(made.get(q, q) for q in asked),
    )


def own_fpu(constants: tuple[str, ...]) -> str:
    """Return the expression of first-play urgency: the policy's own constant ``fpu``, if any, else the agent's."""
    return f"block.{CONSTANT_PREFIX}fpu" if "fpu" in constants else "block.fpu"


def numbers(constants: tuple[str, ...]) -> list[str]:
    """Return the expressions of a policy's constants."""
    return [f"block.{CONSTANT_PREFIX}{name}" for name in constants]


def lines(parts: list[str]) -> str:
    return "\n    ".join(part for part in parts if part)


def views(asked: tuple[str, ...], kept: dict[str, Kept]) -> list[str]:
    """Return the lines that define the quantities that a function asks for."""
    made = list(dict.fromkeys(VIEWS[q] for q in asked if q in VIEWS))
    for place, q in enumerate((*ARRAYS, *JOINT_QUANTITIES), start=1):
        if q in asked:
            made.append(f"{q} = array(scratch + {8 * place} * count, count, float64)")
            made.append(f"for j in range(count):\n        {q}[j] = {FILLS[q]}")
    made += [f"{q} = array(block.{q} + place, count, float64)" for q in asked if q.startswith(COLUMN)]
    own = [q for q in asked if q.removeprefix("own_") in kept]
    if not all(map(is_table, own)):
        made += [f"{name} = block.{name}" for name in ("stride", "offset", "players")]
    return made + [kept_view(q, kept) for q in own]


def kept_view(asked: str, kept: dict[str, Kept]) -> str:
    """Return the line that defines a view of a kept statistic: of all arms, or of the node itself (``own_``).

    Each statistic is a column over all nodes, ``stride`` numbers long. An array is several columns, so its view is
    transposed: the arm comes first. A table by move class is not a column.
    """
    name = asked.removeprefix("own_")
    place, size = kept[name]
    if is_table(name):
        return f"kept_{asked} = array(block.by_class + 8 * block.classes * {place}, block.classes, float64)"
    base, count = ("own_", "1") if asked != name else ("kept_", "count")
    start = f"{base} + 8 * stride * ({place})"
    if size:
        turned = "[:, 0]" if asked != name else "[:, :count].T"
        return f"kept_{asked} = table({start}, {size}, stride, float64){turned}"
    if not name.endswith(EACH):
        return f"kept_{asked} = array({start}, {count}, float64)"
    return f"kept_{asked} = table({start}, players, stride, float64)"
