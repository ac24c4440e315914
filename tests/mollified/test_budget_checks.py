"""Facts of the figures on stopped chains."""

from __future__ import annotations

import numpy as np

from mollified.studies.stopped_chains import costs, walk_levels


def test_facts_of_the_chain_say_when_its_level_is_back_and_what_it_costs():
    table, facts = walk_levels(1.0, [0, 1, 5, 20, 48, 64, 128], 10, 3.45)
    shares = table[table["chain"] == "members, walk"].set_index("n")["share"]
    assert shares[int(facts["back"])] <= 1.005 < shares[20]
    assert walk_levels(1.0, [1, 5], 10, 3.45)[1]["back"] == np.inf
    table, facts = costs(["1/2", "3"], "1/1000000")
    assert (facts["least_ratio"], facts["most_ratio"]) == (table["ratio"].min(), table["ratio"].max())
