"""What can go wrong, said so that a person can act: each message names the file or URL and what to do."""


class DehuskError(Exception):
    """The base of every error dehusk raises on purpose."""


class UsageError(DehuskError):
    """A call that cannot mean anything: an unknown method, an output that would overwrite its own source."""


class SourceError(DehuskError):
    """No pages where pages were expected."""


class TemplateError(DehuskError):
    """A template that cannot be learned, read or written."""


class OutputError(DehuskError):
    """A result that could not be written."""


class FetchError(DehuskError):
    """A URL that could not be fetched, and why."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(url, reason)
        self.url = url
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.url}: {self.reason}"
