"""The fingerprint covers every import, direct or indirect, and only code."""

import pytest

from claimaudit import fingerprint as subject


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A small package with the name of ours and a relative, an absolute and a nested import."""
    root = tmp_path / "corrldp"
    (root / "deep").mkdir(parents=True)
    files = {
        "__init__.py": "",
        "entry.py": "from corrldp.deep import leaf\n\n\ndef run():\n    import corrldp.late\n",
        "late.py": "X = 1\n",
        "unrelated.py": "X = 1\n",
        "deep/__init__.py": '"""Docstring only."""\n',
        "deep/__main__.py": "import corrldp.late\n",
        "deep/leaf.py": "from .sibling import VALUE\nfrom .. import other\n",
        "deep/sibling.py": "VALUE = 1\n",
        "other.py": "import numpy\n",
    }
    for name, text in files.items():
        (root / name).write_text(text)
    monkeypatch.setattr(subject, "SOURCE", tmp_path)
    clear()
    yield root
    clear()


def clear():
    for item in vars(subject).values():
        if hasattr(item, "cache_clear"):
            item.cache_clear()


def test_imports_are_followed_through_packages_functions_and_relative_names(package):
    names = ("", ".deep", ".deep.leaf", ".deep.sibling", ".entry", ".late", ".other")
    assert subject.local_modules("corrldp.entry") == tuple(f"corrldp{name}" for name in names)


def test_running_a_package_means_its_main_module(package):
    assert "corrldp.deep.__main__" in subject.local_modules("corrldp.deep")
    assert "corrldp.deep.__main__" not in subject.local_modules("corrldp.deep.leaf")


@pytest.mark.parametrize("name", ["corrldp.nothing", "nobody.py"])
def test_an_unknown_module_and_a_missing_file_are_named(package, name):
    with pytest.raises(ValueError, match=rf"no module '{name}'"):
        subject.fingerprint(name)


@pytest.mark.parametrize(
    ("module", "text", "changes"),
    [
        ("deep/sibling.py", "VALUE = 2\n", True),
        ("unrelated.py", "X = 2\n", False),
        ("deep/sibling.py", '"""Words."""\n# a comment\nVALUE = 1\n', False),
        ("late.py", "X = 1\nY = 2\n", True),
    ],
)
def test_only_imported_code_changes_the_fingerprint(package, module, text, changes):
    before = subject.fingerprint("corrldp.entry")
    (package / module).write_text(text)
    clear()
    assert (subject.fingerprint("corrldp.entry") != before) is changes


def test_data_files_change_the_fingerprint(package, tmp_path):
    template = tmp_path / "page.html"
    template.write_text("a")
    before = subject.fingerprint("corrldp.late", template)
    clear()
    template.write_text("b")
    assert subject.fingerprint("corrldp.late", template) != before


@pytest.fixture
def own(package, tmp_path, monkeypatch):
    """A file and a package of the user's own; the package is found on the path of imports."""
    monkeypatch.setenv("CLAIMAUDIT_PROJECT", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")
    for name in ("elsewhere/theirs", "parts", "corrldp/protocols"):
        (tmp_path / name).mkdir(parents=True)
    files = {
        "mine.py": "from corrldp.late import X\n",
        "helped.py": "import json\nimport numpy\nimport pytest\nfrom helper import X\nfrom parts.one import Y\n",
        "helper.py": "from parts import two\n",
        "parts/one.py": "Y = 1\n",
        "parts/two.py": "Y = 1\n",
        "public.py": "from corrldp import SPL\n",
        "whole.py": "import corrldp\n\nmechanism = corrldp.SPL\n",
        "corrldp/__init__.py": 'HOMES = {"SPL": "protocols.spl"}\n',
        "corrldp/protocols/__init__.py": "",
        "corrldp/protocols/spl.py": "",
        "elsewhere/theirs/__init__.py": "",
        "elsewhere/theirs/one.py": "from .two import Y\nfrom corrldp import late\n",
        "elsewhere/theirs/two.py": "Y = 1\n",
        "elsewhere/theirs/three.py": "Y = 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_modules_behind_a_file_and_behind_another_package(own):
    assert subject.local_modules("mine.py") == ("corrldp", "corrldp.late", "mine.py")
    assert subject.local_modules("theirs.one") == ("corrldp", "corrldp.late", "theirs", "theirs.one", "theirs.two")


def test_what_ones_own_code_imports_is_followed_unless_it_is_installed(own):
    assert subject.local_modules("helped.py") == ("helped.py", "helper", "parts.one", "parts.two")
    assert subject.libraries("helped.py") == ["numpy", "pytest"]


@pytest.mark.parametrize("entry", ["public.py", "whole.py"])
def test_public_names_of_the_package_stand_for_the_modules_that_have_them(own, entry):
    assert "corrldp.protocols.spl" in subject.local_modules(entry)


def test_the_versions_of_imported_libraries_count(package, monkeypatch):
    assert subject.libraries("corrldp.entry") == ["numpy"]
    assert subject.libraries("corrldp.unrelated") == []
    before = [subject.fingerprint(f"corrldp.{name}") for name in ("entry", "unrelated")]
    monkeypatch.setattr(subject, "_version", lambda name: f"{name} of tomorrow")
    clear()
    after = [subject.fingerprint(f"corrldp.{name}") for name in ("entry", "unrelated")]
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True]
