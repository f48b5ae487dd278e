from pathlib import Path

from venv_setup.environment import cleaned, inside
from venv_setup.interpreter_start import put_right
from venv_setup.layout import chosen_distro, venv_python_version

SOURCED = {
    "HOME": "/home/ada",
    "AMENT_PREFIX_PATH": "/ws/install/a:/opt/ros/jazzy",
    "COLCON_PREFIX_PATH": "/ws/install",
    "CMAKE_PREFIX_PATH": "/opt/ros/jazzy",
    "PYTHONPATH": "/opt/ros/jazzy/lib/python3.12/site-packages:/home/ada/tools",
    "LD_LIBRARY_PATH": "/opt/ros/jazzy/lib:/opt/cuda/lib64",
    "PATH": "/opt/ros/jazzy/bin:/usr/bin:/bin",
    "ROS_DISTRO": "jazzy",
    "ROS_VERSION": "2",
    "RMW_IMPLEMENTATION": "rmw_cyclonedds_cpp",
    "CXX": "clang++",
}


def test_a_sourced_ros_leaves_no_trace_in_the_build():
    result = cleaned(SOURCED)
    assert result == {
        "HOME": "/home/ada",
        "LD_LIBRARY_PATH": "/opt/cuda/lib64",
        "PATH": "/usr/bin:/bin",
        "CXX": "clang++",
    }
    assert "LD_LIBRARY_PATH" not in cleaned({**SOURCED, "LD_LIBRARY_PATH": "/opt/ros/jazzy/lib"})


def test_inside_the_environment_its_own_tools_and_packages_come_first():
    venv = Path("/p/.venv")
    result = inside(venv, SOURCED)
    assert result["PATH"].split(":")[0] == "/p/.venv/bin"
    assert result["AMENT_PREFIX_PATH"] == result["CMAKE_PREFIX_PATH"] == result["VIRTUAL_ENV"] == "/p/.venv"
    assert result["MAKEFLAGS"].startswith("-j")
    assert "PYTHONPATH" not in result


def test_the_interpreter_finds_its_packages_with_nothing_sourced():
    environ = {"PATH": "/usr/bin"}
    put_right(environ, "/p/.venv")
    assert environ == {"PATH": "/usr/bin", "AMENT_PREFIX_PATH": "/p/.venv"}


def test_the_interpreter_keeps_a_sourced_ros_out(tmp_path):
    (tmp_path / "share" / "rcl").mkdir(parents=True)
    environ = {name: value.replace("/opt/ros/jazzy", str(tmp_path)) for name, value in SOURCED.items()}
    put_right(environ, "/p/.venv")
    assert environ["AMENT_PREFIX_PATH"] == "/p/.venv"
    assert environ["PYTHONPATH"] == "/home/ada/tools"
    assert environ["LD_LIBRARY_PATH"] == "/opt/cuda/lib64"
    assert "RMW_IMPLEMENTATION" not in environ


def test_the_interpreter_keeps_a_workspace_that_was_built_with_it():
    environ = {"AMENT_PREFIX_PATH": "/ws/install/vantage_eqa:", "PYTHONPATH": "/ws/install/vantage_eqa/lib"}
    put_right(environ, "/p/.venv")
    assert environ == {
        "AMENT_PREFIX_PATH": "/ws/install/vantage_eqa:/p/.venv",
        "PYTHONPATH": "/ws/install/vantage_eqa/lib",
    }


def test_the_interpreter_keeps_an_overlay_of_its_own():
    environ = {"AMENT_PREFIX_PATH": "/ws/install:/p/.venv", "PYTHONPATH": "/ws/install/lib/python3.11/site-packages"}
    before = dict(environ)
    put_right(environ, "/p/.venv")
    assert environ == before


def test_the_interpreter_starts_over_when_another_environment_started_it():
    other = "/q/.venv/lib/python3.11/site-packages/ros_rcl.libs"
    environ = {
        "_ROS_WHEELS_BOOTSTRAP_COMPLETE": "1",
        "AMENT_PREFIX_PATH": "/q/.venv",
        "LD_LIBRARY_PATH": f"{other}:/q/.venv/lib:/opt/cuda/lib64",
    }
    put_right(environ, "/p/.venv")
    assert environ == {"AMENT_PREFIX_PATH": "/p/.venv", "LD_LIBRARY_PATH": "/opt/cuda/lib64"}


def test_the_second_run_of_the_interpreter_changes_nothing():
    environ = {
        "_ROS_WHEELS_BOOTSTRAP_COMPLETE": "1",
        "AMENT_PREFIX_PATH": "/p/.venv",
        "LD_LIBRARY_PATH": "/p/.venv/lib/python3.11/site-packages/ros_rcl.libs:/p/.venv/lib",
    }
    before = dict(environ)
    put_right(environ, "/p/.venv")
    assert environ == before


def test_which_distro_is_set_up():
    assert chosen_distro("", None, sourced_ros=False) == "jazzy"
    assert chosen_distro("", "kilted", sourced_ros=False) == "kilted"
    assert chosen_distro("jazzy", "kilted", sourced_ros=False) == "jazzy"
    assert chosen_distro("humble", None, sourced_ros=False) == "humble"
    assert chosen_distro("humble", "kilted", sourced_ros=True) == "kilted"


def test_the_python_of_an_environment(tmp_path):
    assert venv_python_version(tmp_path) is None
    (tmp_path / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.12.1\n")
    assert venv_python_version(tmp_path) is None, "its interpreter is missing"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to("/nowhere/python3")
    assert venv_python_version(tmp_path) is None, "its interpreter is gone"
    (tmp_path / "bin" / "python").unlink()
    (tmp_path / "bin" / "python").touch()
    assert venv_python_version(tmp_path) == "3.12"
