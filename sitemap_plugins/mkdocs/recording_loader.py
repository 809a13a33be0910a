"""A jinja2 loader that records the templates in use, also cached ones, for mkdocs-macros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import BaseLoader

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Environment

__all__ = ["RecordingLoader"]


class RecordingLoader(BaseLoader):
    """Loads templates with another loader, and records the file of each."""

    def __init__(self, loader: BaseLoader, record: Callable[[str], None]) -> None:
        """Load with `loader`, and call `record` with each file's path."""
        self.loader = loader
        self._record = record

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool]]:
        """Return what the other loader does; jinja2 asks whether it is current at each use."""
        source, file, is_current = self.loader.get_source(environment, template)

        def record_and_check() -> bool:
            if file is not None:
                self._record(file)
            return is_current is None or is_current()

        record_and_check()
        return source, file, record_and_check

    def list_templates(self) -> list[str]:
        """Return the names that the other loader knows."""
        return self.loader.list_templates()
