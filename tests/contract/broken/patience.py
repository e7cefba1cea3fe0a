"""How long a test waits for functions of an author."""


def patience_for(request):
    """Seconds: few where a flaw never returns, many for the rest, since a busy machine may stand still for a while."""
    parameters = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    return 0.5 if getattr(parameters.get("flaw"), "rule", "") == "stuck" else 30.0
