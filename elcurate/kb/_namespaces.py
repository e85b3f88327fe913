"""Namespace prefixes of Wikipedia titles, in lower case with underscores, to their English names.

Every wiki knows the English names and the aliases ``Project`` and ``Image``; ``WP`` and ``WT`` are
aliases on nearly all. The local names are those of the namespaces that entity-linking data link to.
"""

from __future__ import annotations

_SUBJECTS = ("User", "Wikipedia", "File", "MediaWiki", "Template", "Help", "Category")
_EXTENSIONS = ("Portal", "Draft", "Module", "TimedText", "MOS")

_ALIASES = {
    "wp": "Wikipedia",
    "project": "Wikipedia",
    "image": "File",
    "wt": "Wikipedia_talk",
    "project_talk": "Wikipedia_talk",
    "image_talk": "File_talk",
}

SHARED: dict[str, str] = {
    **{name.lower(): name for name in ("Special", "Media", "Talk")},
    **{name.lower(): name for name in (*_SUBJECTS, *_EXTENSIONS)},
    **{f"{name.lower()}_talk": f"{name}_talk" for name in (*_SUBJECTS, *_EXTENSIONS)},
    **_ALIASES,
}


def _table(**names: str) -> dict[str, str]:
    """Local names, separated by blanks, by their English name."""
    return {
        local.lower(): english for english, locals_ in names.items() for local in locals_.split()
    }


LOCAL: dict[str, dict[str, str]] = {
    "ar": _table(
        File="ملف صورة",
        Category="تصنيف",
        Template="قالب",
        User="مستخدم",
        Help="مساعدة",
        Portal="بوابة",
        Wikipedia="ويكيبيديا",
        Special="خاص",
    ),
    "ca": _table(
        File="Fitxer Imatge",
        Category="Categoria",
        Template="Plantilla",
        User="Usuari Usuària",
        Help="Ajuda",
        Wikipedia="Viquipèdia",
        Special="Especial",
    ),
    "cs": _table(
        File="Soubor",
        Category="Kategorie",
        Template="Šablona",
        Portal="Portál",
        Help="Nápověda",
        Wikipedia="Wikipedie",
        Special="Speciální",
    ),
    "de": _table(
        File="Datei Bild",
        Category="Kategorie",
        Template="Vorlage",
        User="Benutzer Benutzerin",
        Help="Hilfe",
        Talk="Diskussion",
        Special="Spezial",
        Media="Medium",
    ),
    "es": _table(
        File="Archivo Imagen",
        Category="Categoría",
        Template="Plantilla",
        User="Usuario Usuaria",
        Help="Ayuda",
        Talk="Discusión",
        Special="Especial",
    ),
    "fr": _table(
        File="Fichier",
        Category="Catégorie",
        Template="Modèle",
        User="Utilisateur Utilisatrice",
        Help="Aide",
        Portal="Portail",
        Talk="Discussion",
        Wikipedia="Wikipédia",
        Special="Spécial",
    ),
    "it": _table(
        File="Immagine",
        Category="Categoria",
        User="Utente",
        Help="Aiuto",
        Portal="Portale",
        Talk="Discussione",
        Special="Speciale",
    ),
    "ja": _table(
        File="ファイル 画像",
        Category="カテゴリ",
        Template="テンプレート",
        User="利用者",
        Help="ヘルプ",
        Talk="ノート",
        Special="特別",
    ),
    "nl": _table(
        File="Bestand Afbeelding",
        Category="Categorie",
        Template="Sjabloon",
        User="Gebruiker",
        Portal="Portaal",
        Talk="Overleg",
        Special="Speciaal",
    ),
    "pl": _table(
        File="Plik Grafika",
        Category="Kategoria",
        Template="Szablon",
        User="Wikipedysta Wikipedystka",
        Help="Pomoc",
        Talk="Dyskusja",
        Special="Specjalna",
    ),
    "pt": _table(
        File="Ficheiro Arquivo Imagem",
        Category="Categoria",
        Template="Predefinição",
        User="Usuário Usuária Utilizador Utilizadora",
        Help="Ajuda",
        Talk="Discussão",
        Wikipedia="Wikipédia",
        Special="Especial",
    ),
    "ru": _table(
        File="Файл Изображение",
        Category="Категория",
        Template="Шаблон",
        User="Участник Участница",
        Help="Справка",
        Portal="Портал",
        Talk="Обсуждение",
        Wikipedia="Википедия ВП",
        Special="Служебная",
    ),
    "sv": _table(
        File="Fil Bild",
        Category="Kategori",
        Template="Mall",
        User="Användare",
        Help="Hjälp",
        Talk="Diskussion",
    ),
    "uk": _table(
        File="Файл Зображення",
        Category="Категорія",
        Template="Шаблон",
        User="Користувач Користувачка",
        Help="Довідка",
        Portal="Портал",
        Wikipedia="Вікіпедія ВП",
    ),
    "zh": _table(
        File="文件 檔案 图像 圖像",
        Category="分类 分類",
        Template="模板 样板 樣板",
        User="用户 用戶",
        Help="帮助 幫助",
        Talk="讨论 討論",
        Wikipedia="维基百科 維基百科",
        Special="特殊",
    ),
}
