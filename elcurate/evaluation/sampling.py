"""How resamples are drawn, intervals made and systems tested: the options of statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from elcurate.errors import SpecError, suggestion

METHODS = ("percentile", "bca")
TESTS = ("randomisation", "bootstrap")
TAILS = ("two-sided", "one-sided")
_BLOCK = 250

T = TypeVar("T")


@dataclass(frozen=True)
class Draws:
    """How often and from which seed is drawn.

    Trials are drawn in blocks of fixed size, each with a generator of its own made from the seed,
    so that the same seed gives the same numbers on any number of threads.

    Attributes:
        trials: How many resamples.
        seed: From 0 up; the same seed gives the same numbers.
        jobs: How many threads; the numbers don't depend on it.

    Raises:
        SpecError: for numbers that make no sense.
    """

    trials: int = 10_000
    seed: int = 0
    jobs: int = 1

    def __post_init__(self) -> None:
        if self.trials < 1 or self.jobs < 1 or self.seed < 0:
            raise SpecError(
                "trials and jobs are numbers from 1 up, a seed from 0 up",
                remedy="Use --trials 10000 --seed 0 --jobs 1.",
            )

    def blocks(self, draw: Callable[[np.random.Generator, int], T]) -> Iterator[T]:
        """What a function makes of each block of trials, from its generator and size, in order."""
        sizes = [min(_BLOCK, self.trials - start) for start in range(0, self.trials, _BLOCK)]
        seeds = np.random.SeedSequence(self.seed).spawn(len(sizes))

        def block(place: int) -> T:
            return draw(np.random.Generator(np.random.PCG64(seeds[place])), sizes[place])

        if self.jobs == 1:
            yield from map(block, range(len(sizes)))
            return
        with ThreadPoolExecutor(self.jobs) as pool:
            yield from pool.map(block, range(len(sizes)))


@dataclass(frozen=True)
class Sampling(Draws):
    """How resamples are drawn, and when not to trust them.

    Attributes:
        fewest: Slices with fewer gold units get a warning.
    """

    fewest: int = 30


@dataclass(frozen=True)
class Intervals:
    """How intervals are made.

    Attributes:
        levels: Shares of confidence.
        method: A name in `METHODS`.

    Raises:
        SpecError: for an unknown method, no level, or one outside (0, 1).
    """

    levels: Sequence[float] = (0.9, 0.95, 0.99)
    method: str = "percentile"

    def __post_init__(self) -> None:
        check_known("method", self.method, METHODS)
        if not self.levels or not all(0 < level < 1 for level in self.levels):
            raise SpecError("levels of confidence lie between 0 and 1", remedy="Use 0.95.")


@dataclass(frozen=True)
class Significance:
    """How systems are tested against each other.

    Attributes:
        test: A name in `TESTS`.
        tail: A name in `TAILS`.
        alpha: The largest adjusted p-value that is significant.

    Raises:
        SpecError: for an unknown test or tail, or a level of significance outside (0, 1).
    """

    test: str = "randomisation"
    tail: str = "two-sided"
    alpha: float = 0.05

    def __post_init__(self) -> None:
        check_known("test", self.test, TESTS)
        check_known("tail", self.tail, TAILS)
        if not 0 < self.alpha < 1:
            raise SpecError(
                f"a level of significance lies between 0 and 1, not at {self.alpha:g}",
                remedy="Use --alpha 0.05.",
            )


def check_known(kind: str, name: str, known: Sequence[str]) -> None:
    """Refuses a name that isn't known.

    Raises:
        SpecError: with the nearest names.
    """
    if name not in known:
        raise SpecError(f"there is no {kind} {name!r}", remedy=suggestion(name, list(known)))
