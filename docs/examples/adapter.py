"""A site generator of one page, and its sitemap: python adapter.py PROJECT.

Pages are Markdown files in PROJECT/content, with metadata lines on top;
PROJECT/site.toml has the site's address and the sitemap's options.
"""

import sys
import tomllib
from pathlib import Path

import markdown

from sitemap_plugins import Options, OptionsError, Page, Site, generate, percent_encode

HTML = """<!doctype html><html><head><title>{title}</title><meta name="robots" content="{robots}">
</head><body>{body}</body></html>"""


def build(project: Path) -> int:
    """Write the site and its sitemap; return the exit code."""
    settings = tomllib.loads((project / "site.toml").read_text("utf-8"))
    try:  # 1. The options, before anything is built.
        options = Options.parse(settings.get("sitemap", {}), where="site.toml")
    except OptionsError as error:
        print(f"error: {error}")
        return 2
    output_dir = project / "public"
    pages = [render(file, project / "content", output_dir) for file in sources(project)]
    report = generate(  # 3. All files of the site are there now.
        pages,
        site=Site(
            output_dir=output_dir,
            project_dir=project,
            base_url=settings.get("base_url", ""),
            base_url_setting="base_url in site.toml",
        ),
        options=options,
    )
    for notice in report.notices:  # 4. What the user should know.
        print(f"{notice.level}: {notice} ({notice.code})")
    print(report.summary(), *report.unexpected(), sep="\n")
    return 0


def sources(project: Path) -> list[Path]:
    return sorted((project / "content").rglob("*.md"))


def render(file: Path, content: Path, output_dir: Path) -> Page:
    """Write one page, and describe it."""
    converter = markdown.Markdown(extensions=["meta"])
    body = converter.convert(file.read_text("utf-8"))
    metadata = {name: " ".join(lines) for name, lines in converter.Meta.items()}
    name = file.relative_to(content).with_suffix(".html").as_posix()
    target = output_dir / name
    target.parent.mkdir(parents=True, exist_ok=True)
    title, robots = metadata.get("title", name), metadata.get("robots", "all")
    target.write_text(HTML.format(title=title, robots=robots, body=body), "utf-8")
    return Page(  # 2. One for each page that was written, also for drafts.
        path="" if name == "index.html" else percent_encode(name),
        name=file.relative_to(content.parent).as_posix(),
        output_file=target,
        sources=(file.resolve(),),
        metadata=metadata,
        exclude_reason="draft" if metadata.get("status") == "draft" else None,
    )


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1]).resolve()))
