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
