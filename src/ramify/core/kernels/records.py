"""Records for plain Python whose fields are attributes, as in compiled code.

NumPy's ``np.record`` looks every name up in Python, which takes six times as long and dominated the time of uncompiled
rules.
"""

from functools import cache
from operator import itemgetter

import numpy as np


@cache
def record_type(dtype):
    """Return a structured ``dtype`` whose items have their fields as attributes, also in nested records."""
    if dtype.subdtype:
        item, shape = dtype.subdtype
        return np.dtype((record_type(item), shape))
    if dtype.names is None:
        return dtype
    kinds, offsets = zip(*(dtype.fields[name][:2] for name in dtype.names), strict=True)
    layout = {"names": dtype.names, "formats": [*map(record_type, kinds)], "offsets": offsets}
    attributes = {name: property(itemgetter(name), _setter(name)) for name in dtype.names}
    kind = type("record", (np.void,), {"__slots__": (), **attributes})
    return np.dtype((kind, np.dtype({**layout, "itemsize": dtype.itemsize})))


def _setter(name):
    def put(record, value):
        record[name] = value

    return put
