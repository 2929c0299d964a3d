"""Names and texts as anybody may put them into a graph or type them: shown as text, never obeyed."""

from __future__ import annotations

LONG = "Long " * 2_000
"""10,000 characters."""

HOSTILE = (
    # control characters, and those that change what is seen
    "red \x1b[31malert\x1b[0m",
    "bell\x07 and back\x08space",
    "null\x00byte",
    "\x1bdeadbeef \x00cafe",
    "two\nlines\r\nand\ta tab",
    "\u202egnp.exe",
    "left\u200eright\u200fmarks \u2066isolated\u2069",
    "zero\u200bwidth\ufeff",
    "line\u2028and paragraph\u2029separators\x85",
    # HTML
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "</div><h1>Big</h1>",
    "&lt;b&gt; &amp; &#0;",
    '" onmouseover="alert(1)',
    # Markdown
    "# Heading",
    "**bold** _and_ `code`",
    "[click](javascript:alert(1))",
    "![image](http://example.org/x.png)",
    "| a | b |",
    ":red[text] $x^2$ :material/delete:",
    # SPARQL
    '" . } DROP ALL #',
    "> ?p ?o . ?s <http://example.org/p",
    "'''; DELETE WHERE { ?s ?p ?o } #",
    "?x ?y ?z",
    "} UNION { ?s ?p ?o",
    "SELECT * WHERE { ?s ?p ?o }",
    'x"@en . <http://x> <http://y> <http://z',
    # quotes and backslashes
    'it\'s "quoted" \\ and \\\\ back\\slashed\\',
    "\\u0022 \\n \\x1b",
    "`ticks` ´acute´ “curly”",
    # templated English
    "[x]",
    "[",
    "]",
    "that film",
    "the film of step 1",
    "anything",
    "What is the capital of [Egypt]?",
    "Of these, how many are there?",
    ", whose name (type, object) is [x]",
    "\\[x\\]",
    "{} {0} {name} %s %(x)s",
    "<http://example.org/x>",
    "m.02mjmr",
    "local.x",
    "1980-01-01",
    "42",
    '"text"^^<http://x>',
    "a (b)",
    "step 1 or step 2",
    # other ways to be odd
    "../../etc/passwd",
    "$(rm -rf /) `reboot`",
    "'; DROP TABLE users; --",
    "=cmd|' /C calc'!A0",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 family",
    "e\u0301\u0301\u0301\u0301\u0301 z\u0335a\u0336l\u0337g\u0338o",
    "مرحبا بالعالم",
    "東京 タワー",
    "ß İ ı ﬃ",
    LONG,
)
