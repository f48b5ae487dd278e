"""All that is written on pages can be read: 4.5:1 between a text and what lies behind it, as the browser draws it."""

from __future__ import annotations

import pytest
from browsers import first, picture, until
from gold_bags import Telling, gold, record, said
from phased import EXPLORE, PhasedAgent, look_answer_look_again
from small_room import small_room

from vantage.splats import save_scene
from vantage.splats.rendering import make_renderer
from vantage.web import Viewer, Wish

pytestmark = pytest.mark.needs("web")
LEAST = 4.5
# The ratio of WCAG 2.1 for each element with text of its own, and what the elements behind it are filled with.
_FAINT = """
const parse = text => { const n = (text.match(/[\\d.]+/g) || []).map(Number); return n.length < 4 ? [...n, 1] : n; };
const mixed = (over, under) => over.slice(0, 3).map((c, i) => c * over[3] + under[i] * (1 - over[3]));
const light = rgb => { const [r, g, b] = rgb.map(c => { c /= 255;
  return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const behind = each => { const chain = []; for (let e = each; e; e = e.parentElement) chain.push(e);
  return chain.reverse().reduce((u, e) => mixed(parse(getComputedStyle(e).backgroundColor), u), [255, 255, 255]); };
const found = []; let seen = 0;
for (const each of document.querySelectorAll('body *')) {
  const own = [...each.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  const style = getComputedStyle(each), box = each.getBoundingClientRect();
  if (!own || each.closest('svg, script, style') || !box.width || !box.height || box.right < 0) continue;
  if (style.visibility === 'hidden' || style.fontFamily.includes('Material')) continue;
  let opacity = 1;
  for (let e = each; e; e = e.parentElement) opacity *= Number(getComputedStyle(e).opacity);
  if (!opacity) continue;
  const under = behind(each), color = parse(style.color);
  const [a, b] = [light(mixed([...color.slice(0, 3), color[3] * opacity], under)), light(under)];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  seen += 1;
  if (ratio < arguments[0]) found.push([each.textContent.trim().slice(0, 40), style.color, ratio.toFixed(2)]);
}
return [seen, found];
"""


def renderer():
    return make_renderer("cpu", 1)


def faint(browser):
    """Texts that are too faint in light or dark; fails where the page has no text."""
    texts = []
    for scheme in ("dark", "light"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        if browser.find_elements("css selector", ".nicegui-content"):
            darkened = "return document.body.classList.contains('body--dark')"
            until(lambda: browser.execute_script(darkened) is (scheme == "dark"), scheme)  # noqa: B023
            until(lambda: not browser.execute_script("return document.getAnimations().length"), "colours at rest")
        seen, found = browser.execute_script(_FAINT, LEAST)
        assert seen > 2
        texts += [(*each, scheme) for each in found]
    return texts


def test_faint_text_is_found(browser):
    browser.get("data:text/html,<p>one</p><p>two</p><p>three</p><p style='color:%23999'>faint</p>")
    assert [(text, scheme) for text, *_, scheme in faint(browser)] == [("faint", "dark"), ("faint", "light")]


def test_pages_of_view_can_be_read(browser, tmp_path):
    for run in ("one", "two"):
        record(tmp_path / run, "e1", Telling(("x+",), said("red"), (0,)), gold())
        record(tmp_path / run, "a1", PhasedAgent({EXPLORE: ["x+", "y+"]}), None, whole=look_answer_look_again("a1"))
    with Viewer(Wish(tmp_path / "one", compare=tmp_path / "two"), renderer) as viewer:
        browser.get(viewer.address())
        first(browser, "tbody a")
        until(lambda: "First run minus the second" in browser.page_source, "the paired difference")
        assert faint(browser) == []
        for path in viewer.first[1:]:
            browser.get(f"http://127.0.0.1:{viewer.server.port}{path}")
            picture(browser)
            first(browser, "dl")
            assert faint(browser) == []
    cloud, graph = small_room()
    with Viewer(Wish(save_scene(tmp_path / "room", None, graph, cloud)), renderer) as viewer:
        browser.get(viewer.address())
        picture(browser)
        assert faint(browser) == []
