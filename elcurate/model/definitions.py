"""What each category means, in a sentence with an example."""

from __future__ import annotations

from collections.abc import Mapping

DIMENSION_TEXTS: Mapping[str, str] = {
    "base_form": "What kind of expression the mention is.",
    "part_of_speech": "The part of speech of the mention in its sentence.",
    "overlap": "Whether the mention contains, or lies within, other mentions.",
    "reference": "How the mention refers to its entity.",
}

GROUP_TEXTS: Mapping[str, str] = {
    "proper_form": "A name, whatever its part of speech: names as nouns and words made of names.",
    "noun_phrase": "A noun or noun phrase, singular or plural.",
}

DEFINITIONS: Mapping[str, str] = {
    "full_name": "The name as the knowledge base labels the entity, up to inflection: "
    "‘Marie Curie’, and ‘Germans’ for Germany.",
    "short_name": "Part of that label, or an abbreviation of it: ‘Curie’, ‘M. Curie’.",
    "extended_name": "The label with more to it: ‘Marie Salomea Skłodowska Curie’.",
    "alias": "A name that shares no form with the label: ‘the Big Apple’ for New York City.",
    "numeric_temporal": "A number, date, time or amount: ‘1911’, ‘two’, ‘in May’.",
    "common_form": "A word or phrase that is no name, number or pro-form: ‘chemistry’.",
    "pro_form": "A word that stands for another: ‘she’, ‘there’, ‘his’.",
    "singular_noun": "A noun phrase in the singular: ‘the laboratory’.",
    "plural_noun": "A noun phrase in the plural: ‘elements’.",
    "adjective": "An adjective, also a possessive or a demonym before a noun: ‘Polish’, ‘her’.",
    "verb": "A verb form: ‘discovered’.",
    "adverb": "An adverb: ‘chemically’.",
    "none": "No other mention lies within it, and it lies within none.",
    "maximal": "Other mentions lie within it, and it lies within none.",
    "intermediate": "Other mentions lie within it, and it lies within another.",
    "minimal": "It lies within another mention, and none lies within it.",
    "direct": "By the literal meaning of the words.",
    "anaphoric": "By pointing back or forward to another mention: ‘she’.",
    "metaphoric": "By an image: ‘the heart of the city’.",
    "metonymic": "By something associated: ‘Paris announced’ for the French government.",
    "related": "The knowledge base has no such entity, only one closely related to it.",
    "descriptive": "By describing the entity: ‘the capital of Poland’.",
}
