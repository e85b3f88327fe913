"""SQL dumps as the dump tools of MySQL and MariaDB write them, for tests and benchmarks."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Sequence
from pathlib import Path

Value = str | int | float | None

COLUMNS = {
    "page": (
        *("page_id", "page_namespace", "page_title", "page_is_redirect", "page_is_new"),
        *("page_random", "page_touched", "page_links_updated", "page_latest", "page_len"),
        *("page_content_model", "page_lang"),
    ),
    "page of 2010": (
        *("page_id", "page_namespace", "page_title", "page_restrictions", "page_counter"),
        *("page_is_redirect", "page_is_new", "page_random", "page_touched", "page_latest"),
        "page_len",
    ),
    "redirect": ("rd_from", "rd_namespace", "rd_title", "rd_interwiki", "rd_fragment"),
    "page_props": ("pp_page", "pp_propname", "pp_value", "pp_sortkey"),
}
_ESCAPES = str.maketrans(
    {
        "\\": "\\\\",
        "'": "\\'",
        '"': '\\"',
        "\n": "\\n",
        "\r": "\\r",
        "\0": "\\0",
        "\x1a": "\\Z",
    }
)
_FILL: dict[str, Value] = {
    "page_random": 0.123456789012,
    "page_touched": "20240101000000",
    "page_links_updated": None,
    "page_content_model": "wikitext",
    "page_lang": None,
    "page_restrictions": "edit=autoconfirmed:move=sysop",
    "pp_sortkey": None,
}


def page(id_: int, title: str, redirect: bool = False, namespace: int = 0) -> dict[str, Value]:
    """A row of ``page``; the other columns are filled."""
    return {
        "page_id": id_,
        "page_namespace": namespace,
        "page_title": title,
        "page_is_redirect": int(redirect),
    }


def redirect(
    id_: int, target: str, namespace: int = 0, interwiki: str | None = "", fragment: str = ""
) -> dict[str, Value]:
    """A row of ``redirect``."""
    values = (id_, namespace, target, interwiki, fragment)
    return dict(zip(COLUMNS["redirect"], values, strict=True))


def prop(id_: int, name: str, value: str = "") -> dict[str, Value]:
    """A row of ``page_props``."""
    return {"pp_page": id_, "pp_propname": name, "pp_value": value}


def sql(value: Value) -> str:
    """A value as SQL."""
    if value is None:
        return "NULL"
    return f"'{value.translate(_ESCAPES)}'" if isinstance(value, str) else str(value)


def row_sql(row: dict[str, Value], columns: Sequence[str]) -> str:
    """A row as SQL."""
    return f"({','.join(sql(row.get(name, _FILL.get(name, 0))) for name in columns)})"


def head(table: str, columns: Sequence[str], database: str = "enwiki") -> str:
    """What stands before the rows."""
    lines = "".join(f"  `{name}` int(8) unsigned NOT NULL DEFAULT 0,\n" for name in columns)
    return (
        "-- MySQL dump 10.19  Distrib 10.3.38-MariaDB, for debian-linux-gnu (x86_64)\n--\n"
        f"-- Host: db1    Database: {database}\n"
        "/*!40101 SET NAMES utf8mb4 */;\n"
        f"DROP TABLE IF EXISTS `{table}`;\n"
        f"CREATE TABLE `{table}` (\n{lines}  PRIMARY KEY (`{columns[0]}`),\n"
        f"  KEY `a_key` (`{columns[1]}`)\n) ENGINE=InnoDB DEFAULT CHARSET=binary;\n"
        f"/*!40000 ALTER TABLE `{table}` DISABLE KEYS */;\n"
    )


def dump_text(
    table: str,
    rows: Iterable[dict[str, Value]],
    *,
    kind: str = "",
    per_statement: int = 3,
    row_lines: bool = False,
    database: str = "enwiki",
) -> str:
    """A dump as text.

    Args:
        kind: The name in `COLUMNS` of another version of the table.
        per_statement: How many rows an INSERT holds.
        row_lines: Whether each row has a line of its own, as mariadb-dump writes it.
    """
    columns = COLUMNS[kind or table]
    found = [row_sql(row, columns) for row in rows]
    between, begin = (",\n", "\n") if row_lines else (",", " ")
    statements = [
        f"INSERT INTO `{table}` VALUES{begin}{between.join(found[i : i + per_statement])};\n"
        for i in range(0, len(found), per_statement)
    ]
    end = (
        f"/*!40000 ALTER TABLE `{table}` ENABLE KEYS */;\n\n"
        "-- Dump completed on 2024-01-02  3:04:05\n"
    )
    return head(table, columns, database) + "".join(statements) + end


def write_dumps(
    folder: Path,
    tables: dict[str, list[dict[str, Value]]],
    name: str = "enwiki-20240101-{}.sql.gz",
    **how: object,
) -> Path:
    """Writes the dumps of all three tables to a folder."""
    folder.mkdir(exist_ok=True)
    for table in ("page", "redirect", "page_props"):
        kind = how.pop("page_kind", "") if table == "page" else ""
        text = dump_text(table, tables.get(table, []), kind=str(kind), **how)  # type: ignore[arg-type]
        content = text.encode("utf-8", "surrogateescape")
        path = folder / name.format(table)
        path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    return folder


def small_wiki() -> dict[str, list[dict[str, Value]]]:
    """A wiki with an example of every outcome."""
    return {
        "page": [
            page(1, "New_York_City"),
            page(2, "Big_Apple", redirect=True),
            page(3, "NYC", redirect=True),
            page(4, "The_Big_Apple", redirect=True),
            page(5, "Mercury"),
            page(6, "Mercurius", redirect=True),
            page(7, "Harlem_(section)", redirect=True),
            page(8, "Loop_A", redirect=True),
            page(9, "Loop_B", redirect=True),
            page(10, "Paris_FR", redirect=True),
            page(11, "Manual", redirect=True),
            page(12, "Broken", redirect=True),
            page(13, "Self", redirect=True),
            page(14, 'O\'Brien_"X"\\Y'),
            page(15, "Zürich_(city)"),
            page(16, "What?"),
            page(17, "R&"),
            page(18, "To_R&", redirect=True),
            page(19, "No_row", redirect=True),
            page(20, "Stale"),
            page(21, "New_York_City", namespace=1),
            page(22, "Sections_twice", redirect=True),
        ],
        "redirect": [
            redirect(2, "New_York_City"),
            redirect(3, "New_York_City", interwiki=None),
            redirect(4, "Big_Apple"),
            redirect(6, "Mercury"),
            redirect(7, "New_York_City", fragment="Upper Manhattan"),
            redirect(8, "Loop_B"),
            redirect(9, "Loop_A"),
            redirect(10, "Paris", interwiki="fr"),
            redirect(11, "Style", namespace=4),
            redirect(12, "Nothing_here"),
            redirect(13, "Self"),
            redirect(18, "R&", fragment="38;"),
            redirect(20, "Mercury"),
            redirect(22, "Harlem_(section)"),
        ],
        "page_props": [
            prop(1, "wikibase_item", "Q60"),
            prop(5, "disambiguation"),
            prop(5, "wikibase-shortdesc", "Topics referred to by the same term"),
            prop(14, "wikibase_item", "no item"),
            prop(15, "displaytitle", "(1,'disambiguation','',NULL),(15,\\'"),
            prop(15, "wikibase_item", "Q72"),
            prop(21, "wikibase_item", "Q999"),
        ],
    }
