"""Import once what the notebooks import, and read the registry: the processes that verify them start from here."""

from __future__ import annotations

import gc
import importlib
import os
import time
from contextlib import suppress

from companion.paths import CompanionError, Layout
from companion.verify_cells import PRELOAD_VARIABLE
from companion.verify_page import registry_at

__all__ = ["SECONDS"]

for _name in os.environ.get(PRELOAD_VARIABLE, "").split(","):
    try:
        importlib.import_module(_name)
    except Exception:  # whatever is wrong with a module, the notebook that imports it reports
        continue
with suppress(CompanionError):  # whoever reads a bad registry says what is wrong with it
    registry_at(Layout.find().registry)
gc.freeze()

#: The processor seconds that this took.
SECONDS = time.process_time()
