"""The bootstrapping mechanism: releases of typical sets, exact accounting, parameters."""
