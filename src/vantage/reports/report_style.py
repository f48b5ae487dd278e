"""The look of a report: one style sheet for light and dark screens and for paper."""

STYLE = """
:root { color-scheme: light dark; --ink: #1c2128; --soft: #57606a; --line: #d0d7de; --back: #ffffff; --card: #f6f8fa;
  --good: #116329; --fair: #7d4e00; --bad: #a40e26; --path: #0a58ca; --thing: #e4e8ed; --edge: #9aa4af; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b3; --line: #373e47; --back: #0d1117;
  --card: #161b22; --good: #56d364; --fair: #e3b341; --bad: #ff8a80; --path: #79b8ff; --thing: #262d36;
  --edge: #5b6570; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 78rem; background: var(--back); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; } h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1.05rem; margin: 0; } p { margin: .25rem 0; } .soft { color: var(--soft); }
a { color: var(--path); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding: .25rem 0; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { border-bottom: 2px solid var(--line); } table a { white-space: nowrap; }
td.number, th.number { text-align: right; white-space: nowrap; }
.good { color: var(--good); } .fair { color: var(--fair); } .bad { color: var(--bad); } .mark { font-weight: 700; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem;
  margin: 1rem 0; }
article header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; }
.parts { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); gap: 1.25rem; margin-top: .75rem; }
@media (max-width: 60rem) { .parts { grid-template-columns: minmax(0, 1fr); } }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem .9rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.frames { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .6rem; margin: .9rem 0 0; }
figure { margin: 0; } figure img { width: 100%; height: auto; border-radius: .3rem; display: block; }
figcaption { color: var(--soft); font-size: .875rem; }
svg.plan { width: 100%; height: auto; background: var(--back); border: 1px solid var(--line); border-radius: .3rem; }
.room { fill: none; stroke: var(--edge); stroke-width: 2; }
.thing { fill: var(--thing); stroke: var(--edge); stroke-width: .75; }
svg.store { position: absolute; width: 0; height: 0; } svg.chart { width: 100%; height: auto; margin-top: .6rem; }
.floor { fill: var(--card); stroke: none; } .wall { fill: var(--soft); }
.context { fill: none; stroke: var(--line); stroke-width: .75; }
.way { fill: none; stroke: var(--path); stroke-width: 2; stroke-linejoin: round; }
.look { fill: var(--path); stroke: none; opacity: .16; }
.start { fill: var(--back); stroke: var(--path); stroke-width: 2; }
.end { fill: var(--path); stroke: var(--path); }
.goal { fill: none; stroke: var(--good); stroke-width: 2.25; }
.hit { stroke: var(--bad); stroke-width: 2.5; }
text { fill: var(--ink); font: 11px system-ui, sans-serif; } text.label { fill: var(--soft); font-size: 9px; }
text.room-name { fill: var(--soft); font-size: 13px; letter-spacing: .06em; }
.axis { fill: none; stroke: var(--edge); }
.bar { width: 9rem; height: 1rem; vertical-align: middle; } .bar .rail { stroke: var(--line); stroke-width: 2; }
.bar .range { stroke: var(--path); stroke-width: 4; } .bar circle { fill: var(--ink); }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; margin: .75rem 0; }
svg.reliability { width: 100%; height: auto; } .reliability .bin { fill: var(--path); opacity: .3; }
.reliability .ideal { stroke: var(--soft); stroke-dasharray: 4 4; }
.reliability .whisker { stroke: var(--path); stroke-width: 1.5; } .reliability .mean { fill: var(--path); }
.tables .scroll { margin: .9rem 0; } .tables h3 { margin-top: 1.2rem; }
.tables td, .tables th { font-size: .85rem; padding: .25rem .4rem; } .tables td small { color: var(--soft); }
@media print { article { break-inside: avoid; } }
"""
