"""The campaign against pages, small: real servers, every attack, and nothing that must not come of it."""

from __future__ import annotations

import http.server
import random
import threading

import pytest
from small_search import FEW, small_search_set

from vantage.bench import bench_hostile_clients
from vantage.bench.hostile_requests import Target, false_claims, long_bodies, long_names
from vantage.benchmarks.sets import load_set


@pytest.mark.needs("web")
def test_a_small_campaign_finds_nothing(tmp_path_factory, tmp_path):
    told = []
    found = bench_hostile_clients(
        load_set(small_search_set(tmp_path_factory, FEW)), tmp_path, 20, 1, told.append, ["play"]
    )
    zero = ("stalls", "accepted", "wrong", "tracebacks", "escapes", "dead")
    assert {key: found[key] for key in zero} == dict.fromkeys(zero, 0), (found, told)
    assert found["honest"] > 5
    assert found["attacks"]["play"]["bad_messages"]["sent"] == 20


class _Gullible(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    do_POST = do_TRACE = do_GET  # noqa: N815 - names that the class asks for

    def log_message(self, *_):
        pass


def test_a_server_that_takes_everything_is_found_out():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Gullible)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        target = Target("127.0.0.1", server.server_port, "http://x/?token=y", "c=abcdef", ("/x/",))
        for attack in (long_names, false_claims, long_bodies):
            found = attack(target, 3, random.Random(1))
            assert found["accepted"] == found["sent"] > 0, attack.__name__
    finally:
        server.shutdown()
        server.server_close()
