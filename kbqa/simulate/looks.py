"""How reports look: one style sheet for their pages, their tables and the charts of `charts`."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --soft: #5b6875; --line: #d6dce2; --paper: #fff;
  --c0: #0b5cad; --c1: #b8460e; --c2: #2c7a3f; --c3: #7a3b9c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaee; --soft: #a5b0bb; --line: #3a444e;
  --paper: #14191e; --c0: #6db3f2; --c1: #f2955c; --c2: #74c98a; --c3: #c79be0; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 70rem; padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; font-size: 1.2rem; }
code, .signature { font: 0.85rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.notes, figcaption, caption, .soft { color: var(--soft); font-size: 0.9rem; }
caption { text-align: left; padding-bottom: 0.4rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.7rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; }
th.text, td.text { text-align: left; } .wide { margin-bottom: 1.5rem; }
.same table { width: 100%; table-layout: fixed; min-width: 52rem; } .same th { white-space: normal; }
.prose td.text { white-space: normal; max-width: 24rem; vertical-align: top; }
.prose td, .prose th { font-size: 0.9rem; padding: 0.25rem 0.6rem 0.25rem 0; }
.dense td, .dense th { font-size: 0.85rem; padding: 0.2rem 0.45rem; }
.same th:first-child { width: 19rem; } .same td, .same th { font-size: 0.9rem; padding: 0.25rem 0.5rem; }
.figures { display: flex; flex-wrap: wrap; gap: 1.5rem; }
figure { margin: 0; flex: 1 1 26rem; max-width: 34rem; }
.chart { width: 100%; height: auto; } .chart text { font: 11px system-ui, sans-serif; fill: var(--soft); }
.grid { stroke: var(--line); } polyline { fill: none; stroke-width: 2; } .band { opacity: 0.13; }
.s0 { stroke: var(--c0); fill: var(--c0); } .s1 { stroke: var(--c1); fill: var(--c1); }
.s2 { stroke: var(--c2); fill: var(--c2); } .s3 { stroke: var(--c3); fill: var(--c3); }
polyline.s0, polyline.s1, polyline.s2, polyline.s3 { fill: none; } .band, .bar { stroke: none; }
.legend { margin: 0; font-size: 0.85rem; display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; }
.key { display: inline-block; width: 0.8rem; height: 0.8rem; margin-right: 0.4rem; border-radius: 2px; }
.k0 { background: var(--c0); } .k1 { background: var(--c1); } .k2 { background: var(--c2); }
.k3 { background: var(--c3); }
details { border-bottom: 1px solid var(--line); padding: 0.5rem 0; } summary { cursor: pointer; }
.said { font-weight: 600; margin: 0.8rem 0 0.2rem; } ol { margin: 0.2rem 0; }
"""
