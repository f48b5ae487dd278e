from vantage.config import Settings, all_settings, of_key


def test_every_setting_says_what_it_is_and_its_default_is_in_range():
    for group, item in all_settings():
        assert item.metadata["description"], f"{group}.{item.name}"
        low, high = item.metadata["low"], item.metadata["high"]
        assert low is None or low <= item.default <= high


def test_a_setting_is_taken_by_its_key():
    assert of_key(Settings(), "camera.width") == 640
    assert {f"{group}.{item.name}": item.default for group, item in all_settings()} == {
        f"{group}.{item.name}": of_key(Settings(), f"{group}.{item.name}") for group, item in all_settings()
    }
