"""Texts made of tokens."""

from __future__ import annotations

import pytest

from elcurate.errors import SpecError
from elcurate.formats.detokenise import STYLES, Made, detokenise

SENTENCES = [
    ["EU", "rejects", "(", "German", "lamb", ")"],
    [],
    ['"', "É", "in", "Isle of Man", "."],
]
TOKENS = [token for sentence in SENTENCES for token in sentence]


def surfaces(made: Made) -> list[str]:
    return [made.text[span.begin : span.end] for span in made.tokens]


@pytest.mark.parametrize(
    ("style", "text", "sentences"),
    [
        (
            "space",
            'EU rejects ( German lamb )\n" É in Isle of Man .',
            ["EU rejects ( German lamb )", '" É in Isle of Man .'],
        ),
        (
            "bat",
            'EU rejects( German lamb)"É in Isle of Man.\n',
            ["EU rejects( German lamb)", '"É in Isle of Man.'],
        ),
    ],
)
def test_styles(style: str, text: str, sentences: list[str]) -> None:
    made = detokenise(SENTENCES, STYLES.get(style))
    assert made.text == text
    assert surfaces(made) == TOKENS
    assert [text[span.begin : span.end] for span in made.sentences] == sentences


def test_what_a_file_states_after_tokens_wins() -> None:
    after = {2: "", 5: "\n\n", 10: " \n"}
    space = detokenise(SENTENCES, STYLES.get("space"), after)
    assert space.text == 'EU rejects (German lamb )\n\n" É in Isle of Man . \n'
    bat = detokenise(SENTENCES, STYLES.get("bat"), after)
    assert bat.text == 'EU rejects(German lamb)\n\n"É in Isle of Man. \n'
    assert surfaces(space) == surfaces(bat) == TOKENS


@pytest.mark.parametrize("style", STYLES.names())
@pytest.mark.parametrize("sentences", [[], [[]], [[], []]])
def test_no_tokens(style: str, sentences: list[list[str]]) -> None:
    assert detokenise(sentences, STYLES.get(style)) == Made("", (), ())


@pytest.mark.parametrize("style", STYLES.names())
def test_tokens_of_white_space_are_kept(style: str) -> None:
    assert surfaces(detokenise([["a ", "\xa0", "."]], STYLES.get(style))) == ["a ", "\xa0", "."]


@pytest.mark.parametrize("style", STYLES.names())
def test_long_tokens_and_long_texts(style: str) -> None:
    tokens = [f"{'x' * (number % 40)}y" for number in range(9000)]
    made = detokenise([tokens, ["z" * 100_000, "a"]], STYLES.get(style))
    assert len(made.text) > 1 << 16
    assert surfaces(made) == [*tokens, "z" * 100_000, "a"]
    assert made.sentences[0].end == made.tokens[-3].end
    again = detokenise([tokens], STYLES.get(style))
    assert again.tokens == made.tokens[:-2]


def test_unknown_style() -> None:
    with pytest.raises(SpecError, match=r"no detokenisation named 'spac'. Did you mean space"):
        STYLES.get("spac")
