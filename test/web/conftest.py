import pytest


@pytest.fixture(scope="session")
def _chromium():
    from browsers import chromium_session

    with chromium_session() as driver:
        yield driver


@pytest.fixture
def browser(_chromium):
    """Chromium with an empty page, no cookies and empty logs; tests that use it need chromium and its driver."""
    _chromium.get("about:blank")
    _chromium.delete_all_cookies()
    for log in ("browser", "performance"):
        _chromium.get_log(log)
    return _chromium
