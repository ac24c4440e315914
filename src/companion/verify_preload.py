"""Import once what the notebooks import: the processes that verify them start from here."""

from __future__ import annotations

import gc
import importlib
import os
import time

from companion.verify_cells import PRELOAD_VARIABLE

__all__ = ["SECONDS"]

for _name in os.environ.get(PRELOAD_VARIABLE, "").split(","):
    try:
        importlib.import_module(_name)
    except Exception:  # whatever is wrong with a module, the notebook that imports it reports
        continue
gc.freeze()

#: The processor seconds that this took.
SECONDS = time.process_time()
