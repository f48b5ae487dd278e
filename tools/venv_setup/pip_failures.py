"""What a failed pip run means, in one sentence."""

from __future__ import annotations

import re

_NETWORK = re.compile(
    r"name resolution|Name or service not known|NewConnectionError|Failed to establish a new connection|"
    r"Connection refused|Network is unreachable|No route to host|ConnectTimeout|ReadTimeout|Read timed out|"
    r"timed out\.|ProxyError|Connection reset|Max retries exceeded|RemoteDisconnected|IncompleteRead|"
    r"Temporary failure|getaddrinfo failed",
)
_CERTIFICATE = re.compile(r"CERTIFICATE_VERIFY_FAILED|SSLError|certificate verify failed")
_NO_SPACE = re.compile(r"No space left on device|Errno 28|Disk quota exceeded|Errno 122")
_MISSING = re.compile(r"(?:No matching distribution found for|satisfies the requirement) ([^\s(]+)")
_DENIED = re.compile(r"Permission denied(?:: '([^']*)')?")
_CONFLICT = re.compile(r"ResolutionImpossible|conflicting dependencies")


def explain(output: str, log: str) -> str:
    """A sentence for the failure that pip's `output` tells of; `log` is where the output lies."""
    if _NO_SPACE.search(output):
        return f"the disk filled up while pip was installing (see {log}); free some space, then run this again"
    if _CERTIFICATE.search(output):
        return (
            f"pip could not verify the package index's certificate (see {log}); "
            "set PIP_CERT to your network's certificate file, then run this again"
        )
    if _NETWORK.search(output):
        return (
            f"pip could not reach the package index (see {log}); check the network, or the proxy or mirror "
            "settings of pip (HTTPS_PROXY, PIP_INDEX_URL), then run this again"
        )
    if denied := _DENIED.search(output):
        return f"pip may not write to {denied[1] or 'a folder'} (see {log}); check who owns .venv, then run this again"
    if _CONFLICT.search(output):
        return f"the pinned versions contradict each other (see {log}); run: python tools/lock_requirements.py"
    if missing := _MISSING.search(output):
        return (
            f"the package index has no {missing[1]} for this Python and machine (see {log}); "
            "try another Python (make setup PYTHON=python3.12), or fix the pin in requirements/"
        )
    return f"pip failed (see {log}); read the lines above, then run this again"


def left_environment_whole(output: str) -> bool:
    """Whether pip gave up before it changed anything installed: it downloads all, then installs."""
    return "Installing collected packages" not in output and not _NO_SPACE.search(output)
