"""Make the pictures of the README in docs/images/ from a finished run: `make pictures`."""

import argparse
import io
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs/images"
FIGURE = "corr_rr/fig3"  # a figure with printed numbers that fit the settings as stated, and some that do not

SCREEN = {"width": 1280, "height": 900}
COLOURS = 64  # of a page, which has no photographs: a quarter of the bytes, and no difference to see


def copy_figure(figures: Path) -> None:
    """Copy a drawn figure and the numbers drawn in it."""
    for suffix in ("svg", "csv"):
        drawn = figures / f"{FIGURE}.{suffix}"
        shutil.copyfile(drawn, IMAGES / f"{FIGURE.replace('/', '_')}.{suffix}")


def photograph(page: Path, chromium: str) -> None:
    """Write the first screen of the report's start page as a PNG of few colours."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_page(viewport=SCREEN, color_scheme="light", reduced_motion="reduce")
        tab.goto(page.resolve().as_uri(), timeout=300_000)  # milliseconds: a busy machine is slow
        shot = tab.screenshot()
        browser.close()
    image = Image.open(io.BytesIO(shot)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    image.save(IMAGES / "start_page.png", optimize=True)


def main() -> None:
    """Read the command line and make both pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, default=ROOT, help="directory with figures/ and report/")
    given, chromium = parser.parse_args(), shutil.which("chromium")
    page, figure = given.run / "report/index.html", given.run / f"figures/{FIGURE}.svg"
    lacking = [str(path) for path in (page, figure) if not path.exists()]
    if lacking or not chromium:
        parser.error(f"missing: {', '.join(lacking) or 'chromium'}; run `make` first, with chromium in PATH")
    IMAGES.mkdir(parents=True, exist_ok=True)
    copy_figure(given.run / "figures")
    photograph(page, chromium)


if __name__ == "__main__":
    main()
