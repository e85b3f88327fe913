"""Reading the formats of rows to a finished corpus, from copies of the bundled sample."""

from __future__ import annotations

import tempfile
from pathlib import Path

from elcurate.formats.all import FORMATS
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.model.corpus import Corpus
from tests.benchmarks.measure import Row, best

SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "sample" / "gold.jsonl"
COPIES = 60
NAMES = ("aida", "conll2003", "conll-coref", "conllu", "hipe", "tac2015", "neleval", "jsonl")


def rows() -> list[Row]:
    """Megabytes and mentions per second of each format."""
    found = []
    corpus = _copies(read(SAMPLE))
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            form = FORMATS.get(name)
            path = Path(folder) / f"x{form.suffixes[0]}"
            write(corpus, path, format=name)
            made = read(path, format=name)
            seconds = best(lambda path=path, name=name: read(path, format=name), 3)
            size = path.stat().st_size / 1e6
            mentions = sum(len(document.mentions) for document in made.documents)
            value = f"{size / seconds:.0f} MB/s, {mentions / seconds:,.0f} mentions/s"
            found.append(Row(f"{name} to a corpus ({size:.0f} MB)", value))
    return found


def _copies(corpus: Corpus) -> Corpus:
    documents = tuple(
        document.model_copy(update={"id": f"{document.id}-{copy}"})
        for copy in range(COPIES)
        for document in corpus.documents
    )
    return corpus.model_copy(update={"documents": documents})
