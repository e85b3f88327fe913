"""Hypothesis: no deadlines on shared machines, and no long search for a smaller failing example.

``--hypothesis-profile=thorough`` looks for smaller examples, and for more of them.
"""

from hypothesis import Phase, settings

QUICK = (Phase.explicit, Phase.reuse, Phase.generate)

settings.register_profile("quick", deadline=None, phases=QUICK)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile("quick")
