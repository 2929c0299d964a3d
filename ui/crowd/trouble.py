"""The one exception that is shown as a line of text, without a traceback."""


class CrowdError(Exception):
    """Something outside can't be used: names it, what was expected, and what to do next."""
