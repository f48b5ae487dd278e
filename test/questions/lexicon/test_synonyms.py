"""Words for one object."""

from row_tables import each_row

from vantage.questions.lexicon.synonyms import SORTS, canonical, loosely, names


@each_row(
    "word, label",
    [
        ("refrigerator", "fridge"),
        ("couch", "sofa"),
        ("oven", "stove"),
        ("cooker", "stove"),
        ("tv", "television"),
        ("trash can", "bin"),
        ("bath", "bathtub"),
        ("loo", "toilet"),
        ("washer", "washing machine"),
        ("hoover", "vacuum cleaner"),
        ("rucksack", "backpack"),
        ("closet", "wardrobe"),
        ("alarm clock", "clock"),
        ("mug", "mug"),
        ("cup", "cup"),
        ("zyzzyva", "zyzzyva"),
    ],
)
def test_one_label_for_each_group(word, label):
    assert canonical(word) == label


def test_labels_stand_for_themselves():
    assert all(canonical(canonical(word)) == canonical(word) for word in names())


def test_loose_words_go_both_ways_and_never_mean_themselves():
    assert "cup" in loosely("mug")
    for word in names():
        assert word not in loosely(word)
        assert all(word in loosely(other) for other in loosely(word))


def test_a_sort_is_a_word_for_its_kind_and_ends_in_it():
    assert {"coffee table", "desk lamp", "water bottle", "front door"} <= SORTS
    assert all(word.split()[-1] == canonical(word).split()[-1] for word in SORTS)
