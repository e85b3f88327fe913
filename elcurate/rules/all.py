"""The registry of rules."""

from __future__ import annotations

from elcurate.registry import Registry
from elcurate.rules import (
    categories,
    corpora,
    documents,
    itself,
    links,
    spans,
    spans_together,
    texts,
)
from elcurate.rules.base import Rule

RULES: Registry[Rule] = Registry("rule")
"""Every rule by its code."""

for _rule in (
    texts.UNDECLARED_PREFIX,
    texts.NOT_UTF8,
    texts.BYTE_ORDER_MARK,
    texts.repeated_id,
    texts.REPAIRED,
    texts.control_character,
    texts.replacement_character,
    texts.not_nfc,
    texts.mixed_line_ends,
    texts.empty_document,
    texts.no_text,
    spans.outside_text,
    spans.inverted,
    spans.empty,
    spans.OFFSET_UNIT,
    spans.surface_differs,
    spans.blank_edge,
    spans.punctuation_edge,
    spans.inside_word,
    spans.crosses_sentence,
    spans_together.crossing,
    spans_together.repeated_mention,
    spans_together.same_span,
    spans_together.nested,
    spans_together.split_name,
    spans.long_mention,
    links.malformed,
    links.nil_as_page,
    links.damaged,
    links.not_canonical,
    corpora.another_language,
    links.wrong_namespace,
    links.section_link,
    links.repeated_link,
    corpora.linked_differently,
    corpora.types_differ,
    corpora.two_identifiers,
    categories.missing_dimension,
    categories.several_leaves,
    categories.overlap_leaf,
    categories.pro_form_anaphoric,
    categories.name_descriptive,
    categories.numeric_form,
    categories.name_form,
    categories.full_name,
    categories.pronoun_form,
    categories.part_of_speech_differs,
    corpora.base_form_differs,
    documents.repeated_document,
    documents.unannotated_document,
    documents.unannotated_mention,
    itself.CRASHED,
    itself.UNUSED_WAIVER,
):
    RULES.add(_rule.code, _rule)
