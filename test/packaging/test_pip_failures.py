import pytest

from venv_setup.pip_failures import explain, left_environment_whole

NO_NETWORK = """\
WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(': Failed to establish a new
connection: [Errno -3] Temporary failure in name resolution')': /simple/numpy/
ERROR: Could not find a version that satisfies the requirement numpy==2.4.6 (from versions: none)
ERROR: No matching distribution found for numpy==2.4.6
"""
NO_SUCH_PIN = """\
ERROR: Could not find a version that satisfies the requirement numpy==9.9 (from versions: 2.4.5, 2.4.6)
ERROR: No matching distribution found for numpy==9.9
"""
NO_SPACE = "Installing collected packages: numpy\nERROR: Could not install packages: [Errno 28] No space left on device"


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (NO_NETWORK, "could not reach the package index"),
        ("ReadTimeoutError: HTTPSConnectionPool: Read timed out.", "could not reach the package index"),
        ("ProxyError('Cannot connect to proxy.')", "could not reach the package index"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]", "PIP_CERT"),
        (NO_SUCH_PIN, "has no numpy==9.9 for this Python"),
        (NO_SPACE, "the disk filled up"),
        ("ERROR: [Errno 13] Permission denied: '/x/.venv/lib'", "may not write to /x/.venv/lib"),
        ("ERROR: ResolutionImpossible: for help visit", "contradict each other"),
        ("something else entirely", "pip failed"),
    ],
)
def test_each_failure_has_one_sentence(output, expected):
    sentence = explain(output, "/tmp/pip.log")
    assert expected in sentence
    assert "/tmp/pip.log" in sentence
    assert "\n" not in sentence


def test_only_a_failure_before_installing_leaves_the_environment_whole():
    assert left_environment_whole(NO_NETWORK)
    assert not left_environment_whole(NO_SPACE)
    assert not left_environment_whole("Installing collected packages: numpy\nERROR: killed")
