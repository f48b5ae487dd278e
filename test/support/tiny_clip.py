"""A CLIP model with hardly any weights, made by lot."""

from __future__ import annotations

from pathlib import Path


def tiny_clip(folder: Path, seed: int = 0) -> str:
    """Writes it, and gives the folder."""
    import torch
    from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

    config = CLIPVisionConfig(
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        image_size=32,
        patch_size=16,
        projection_dim=12,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        CLIPVisionModelWithProjection(config).save_pretrained(folder)
    return str(folder)
