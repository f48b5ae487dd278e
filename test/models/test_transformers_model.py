"""The real back end on a real, small model that was trained to see colored shapes."""

import json
import random
import shlex
import shutil
import subprocess
import sys

import numpy as np
import pytest
from colored_shapes import COLORS, Shape, picture, random_example

from vantage.config import Settings
from vantage.errors import ModelError
from vantage.models.model_factory import make_model
from vantage.models.protocol import Call, Deadline, Model, Turn

pytestmark = pytest.mark.needs("models")

RED_SQUARE = picture(Shape("red", "square"))


@pytest.fixture(scope="session")
def eyes(tiny_vlm):
    return make_model(f"transformers:{tiny_vlm}", Settings().with_values({"model.device": "cpu"}, "test"))


def test_it_sees(eyes):
    assert isinstance(eyes, Model)
    rng = random.Random(12345)
    examples = [random_example(rng) for _ in range(60)]
    right = [eyes.chat(item.prompt, [item.image]) == item.reply for item in examples]
    assert sum(right) >= 54


@pytest.mark.parametrize("color", COLORS)
def test_words_follow_from_what_an_image_shows(eyes, color):
    assert eyes.chat("What color is the square?", [picture(Shape(color, "square"))]) == color


def test_probabilities_follow_from_what_an_image_shows(eyes):
    for color in COLORS:
        probability = eyes.yes_probability(f"Is there a {color} square?", [RED_SQUARE])
        assert probability > 0.9 if color == "red" else probability < 0.1
    assert eyes.yes_probability("Is there a circle?", [RED_SQUARE]) < 0.1


def test_larger_images_are_seen_too(eyes):
    large = np.kron(RED_SQUARE, np.ones((5, 5, 1), np.uint8))
    assert eyes.chat("What color is the square?", [large]) == "red"


def test_the_same_call_gives_the_same_reply(eyes):
    first, second = (eyes.yes_probability("Is there a blue circle?", [RED_SQUARE]) for _ in range(2))
    assert first == second


def test_tokens_and_time_are_counted(eyes):
    before = eyes.usage
    eyes.chat("What color is the square?", [RED_SQUARE])
    spent = eyes.usage
    assert spent.calls == before.calls + 1
    assert spent.tokens_in - before.tokens_in > 10
    assert spent.tokens_out - before.tokens_out >= 2
    assert spent.seconds > before.seconds


def test_prompts_without_images_and_with_several(eyes):
    assert eyes.chat("Is there a red square?")
    assert eyes.chat("What color is the square?", [RED_SQUARE, picture(Shape("blue", "circle"))])


@pytest.mark.parametrize(
    "template",
    [
        "{{ raise_exception('System role not supported') if messages[0]['role'] == 'system' }}{TURNS}",
        "{% set messages = messages[1:] if messages[0]['role'] == 'system' else messages %}{TURNS}",
    ],
    ids=["refused", "left out"],
)
def test_a_model_without_a_system_role_gets_its_text_before_the_prompt(tiny_vlm, template):
    from vantage.models.transformers_model import TransformersBackend

    backend = TransformersBackend(str(tiny_vlm), "cpu")
    backend._processor.chat_template = template.replace("{TURNS}", backend._processor.chat_template)
    call = Call("square?", (RED_SQUARE,), system="What color is the")
    together = Call("What color is the\n\nsquare?", (RED_SQUARE,))
    found, expected = (backend.reply(each, Deadline(60.0)) for each in (call, together))
    assert found == expected
    assert found.tokens_in > backend.reply(Call("square?", (RED_SQUARE,)), Deadline(60.0)).tokens_in


def test_earlier_turns_stand_before_the_prompt(tiny_vlm):
    from vantage.models.transformers_model import TransformersBackend

    backend = TransformersBackend(str(tiny_vlm), "cpu")
    call = Call("square?", (RED_SQUARE,), earlier=(Turn("What color is the", "red"),))
    text = backend._processor.decode(backend._inputs(call)["input_ids"][0])
    assert text.index("User:") < text.index("What color") < text.index("red<end_of_utterance>") < text.index("square?")


def test_the_system_text_has_a_turn_of_its_own(tiny_vlm):
    from vantage.models.transformers_model import TransformersBackend

    backend = TransformersBackend(str(tiny_vlm), "cpu")
    text = backend._processor.decode(
        backend._inputs(Call("square?", (RED_SQUARE,), system="What color is the"))["input_ids"][0]
    )
    assert "System: What color is the<end_of_utterance>" in text
    assert text.index("System:") < text.index("User:") < text.index("square?")


def test_names_of_images_are_read(eyes):
    before = eyes.usage.tokens_in
    eyes.chat("What color is the square?", [RED_SQUARE])
    plain = eyes.usage.tokens_in - before
    eyes.chat("What color is the square?", [RED_SQUARE], image_names=("END_IMAGE",))
    assert eyes.usage.tokens_in - before > 2 * plain


def test_what_is_no_json_twice_is_said(eyes):
    with pytest.raises(ModelError, match="replied twice without usable JSON"):
        eyes.chat("What color is the square?", [RED_SQUARE], {"type": "object"})


def test_a_deadline_ends_a_reply(tiny_vlm):
    from vantage.models.transformers_model import TransformersBackend

    backend = TransformersBackend(str(tiny_vlm), "cpu", 5000)
    backend._model.generation_config.eos_token_id = None  # never ends by itself
    with pytest.raises(ModelError, match=r"did not finish within 0\.5 s"):
        backend.reply(Call("What color is the square?", (RED_SQUARE,)), Deadline(0.5))


def loading(folder, **settings):
    values = {f"model.{name}": value for name, value in {"device": "cpu", **settings}.items()}
    with pytest.raises(ModelError) as caught:
        make_model(f"transformers:{folder}", Settings().with_values(values, "test"))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_folders_that_are_no_models_are_refused(tiny_vlm, tmp_path):
    assert "does not exist" in loading(tmp_path / "none")
    assert "no config.json" in loading(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    assert "cannot be loaded" in loading(tmp_path)
    (tmp_path / "config.json").write_text("not JSON")
    assert "cannot be loaded" in loading(tmp_path)


@pytest.mark.parametrize("size", [0, 1000])
def test_cut_weights_are_refused(tiny_vlm, tmp_path, size):
    folder = shutil.copytree(tiny_vlm, tmp_path / "cut")
    with (folder / "model.safetensors").open("r+b") as file:
        file.truncate(size)
    assert "cannot be loaded" in loading(folder)


def test_a_device_that_is_not_there_is_refused(tiny_vlm):
    import torch

    assert "model.device = tpu cannot be had" in loading(tiny_vlm, device="tpu")
    if not torch.cuda.is_available():
        assert "no CUDA device" in loading(tiny_vlm, device="cuda")


def test_other_weights_have_another_identity(tiny_vlm, tmp_path):
    from vantage.models.transformers_model import TransformersBackend

    folder = shutil.copytree(tiny_vlm, tmp_path / tiny_vlm.name)
    same, settings = TransformersBackend(str(folder), "cpu"), TransformersBackend(str(tiny_vlm), "cpu", 7)
    original = TransformersBackend(str(tiny_vlm), "cpu")
    assert same.name == original.name
    assert same.identity == original.identity != settings.identity
    data = bytearray((folder / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (folder / "model.safetensors").write_bytes(data)
    assert TransformersBackend(str(folder), "cpu").identity != original.identity


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("config.json", {"text_config": 7}),
        ("config.json", {"vision_config": {"patch_size": "small"}}),
        ("tokenizer.json", {"model": 7}),
        ("processor_config.json", {"processor_class": 7}),
    ],
)
def test_files_of_wrong_kinds_are_refused(tiny_vlm, tmp_path, file, change):
    folder = shutil.copytree(tiny_vlm, tmp_path / "broken")
    path = folder / file
    document = json.loads(path.read_text()) if path.is_file() else {}
    path.write_text(json.dumps({**document, **change}))
    assert "cannot be loaded" in loading(folder)


def test_inputs_that_the_model_cannot_take_are_told(tiny_vlm):
    from vantage.models.transformers_model import TransformersBackend

    backend = TransformersBackend(str(tiny_vlm), "cpu")
    backend._processor = object()
    with pytest.raises(ModelError, match="failed: 'object' object has no attribute"):
        backend.reply(Call("What color is the square?", (RED_SQUARE,)), Deadline(5.0))


def test_one_that_sees_takes_a_tiny_picture_and_says_no_more_than_it_is_asked_for(tiny_vlm):
    model = make_model(f"transformers:{tiny_vlm}", Settings().with_values({"model.device": "cpu"}, "test"))
    model.rehearse(pictures=True)
    assert model.usage.calls == 1
    assert 0 < model.usage.tokens_out <= 16


def test_a_model_that_reads_words_alone_is_told_when_it_is_loaded(tiny_vlm, tmp_path):
    from transformers import LlamaConfig, LlamaForCausalLM

    shutil.copytree(tiny_vlm, tmp_path / "words")
    size = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    LlamaForCausalLM(LlamaConfig(vocab_size=700, **size)).save_pretrained(tmp_path / "words")
    assert "model 'words' takes no pictures" in loading(tmp_path / "words")


def test_a_processor_without_pictures_refuses_a_tiny_one(tiny_vlm):
    from vantage.models.model_factory import CheckedModel
    from vantage.models.transformers_model import TransformersBackend

    backend = TransformersBackend(str(tiny_vlm), "cpu")
    whole = backend._processor

    class Words:
        """What only reads: as the tokenizer of a text model, whose template knows no pictures."""

        def apply_chat_template(self, messages, **options):
            if any(part["type"] == "image" for part in messages[0]["content"]):
                raise ValueError("the template takes text alone")
            return whole.apply_chat_template(messages, **options)

    backend._processor = Words()
    with pytest.raises(ModelError, match=r"takes no pictures.*the template takes text alone"):
        CheckedModel(backend, Settings().model).rehearse(pictures=True)


def test_a_model_that_cannot_think_is_not_told_to(tiny_vlm):
    settings = Settings().with_values({"model.device": "cpu", "model.thinking": "on"}, "test")
    with pytest.raises(ModelError, match="has no thinking to turn on: its chat template does not know enable_thinking"):
        make_model(f"transformers:{tiny_vlm}", settings)


def test_thinking_is_a_variable_of_the_chat_template(tiny_vlm, tmp_path):
    folder = tmp_path / "thinker"
    shutil.copytree(tiny_vlm, folder)
    for path in folder.iterdir():
        if "chat_template" in path.name and path.suffix == ".jinja":
            path.write_text(path.read_text() + "{# #}{% if enable_thinking %}{% endif %}")
    settings = Settings().with_values({"model.device": "cpu", "model.thinking": "off"}, "test")
    model = make_model(f"transformers:{folder}", settings)
    assert model.chat("What color is the square?", [RED_SQUARE]) == "red"


CODE = """open("remote-code-ran", "a").write("ran\\n")
from transformers import PretrainedConfig
class OwnConfig(PretrainedConfig):
    model_type = "model_with_code"
"""


def test_a_model_that_brings_code_is_refused_without_running_it(tmp_path, monkeypatch):
    folder = tmp_path / "model"
    folder.mkdir()
    parts = {
        "AutoConfig": "own_code.OwnConfig",
        "AutoModel": "own_code.OwnModel",
        "AutoProcessor": "own_code.OwnProcessor",
    }
    (folder / "config.json").write_text(json.dumps({"model_type": "model_with_code", "auto_map": parts}))
    (folder / "own_code.py").write_text(CODE)
    which = f"transformers:{folder}"
    ends = tmp_path / "ends"
    ends.mkdir()
    monkeypatch.chdir(ends)
    made = f"from vantage.config import Settings as S; from vantage.models import make_model as m; m({which!r}, S())"
    script = f"yes | {shlex.quote(sys.executable)} -c {shlex.quote(made)}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=120)
    assert "needs code of its own, which is never run here" in done.stderr
    assert not list(tmp_path.rglob("remote-code-ran"))
