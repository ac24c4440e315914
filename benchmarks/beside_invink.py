"""Run the package invink beside our laws: `python benchmarks/beside_invink.py`.

It needs an environment of its own that has the package. The package (GPL-3, `pip
install invink`, Python 3.12) is no dependency, and nothing of it is kept here. A tiny
model with random weights writes two texts; at each token the law that the package draws
from is compared with ours. Then, for simulated contexts and the package's own clip at
its default privacy, how often its set of tokens lacks one of the most probable ones.
"""

from __future__ import annotations

import sys
import tempfile
from typing import Any

import numpy as np
import numpy.typing as npt
from invink import generate, utils  # type: ignore[import-not-found]
from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # type: ignore[import-not-found]
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    set_seed,
)  # type: ignore[import-not-found]

Array = npt.NDArray[np.float64]
EPS = 10.0
DELTA = 1e-5
TOKENS = 200
TOP = 100


def ours(
    public: Array, private: Array, C: float, temperature: float, band: float, top: int
) -> Array:
    """Return the law around the public one, on a band of public logits.

    It has the mean of clipped differences.
    """
    moved = (public + np.clip(private - public, -C, C).mean(axis=0)) / temperature
    weights = np.where(
        public >= np.sort(public)[-top] - band, np.exp(moved - moved.max()), 0.0
    )
    return weights / weights.sum()


def tiny(folder: str) -> None:
    """Save a model with random weights and a tokenizer of bytes."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    plain = Tokenizer(
        models.BPE(
            {letter: index for index, letter in enumerate([*letters, "<end>"])}, []
        )
    )
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    plain.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=plain, eos_token="<end>", pad_token="<end>"
    )
    tokenizer.chat_template = (
        "{% for message in messages %}{{ message['content'] }}{% endfor %}"
    )
    tokenizer.save_pretrained(folder)
    sizes = {
        "hidden_size": 64,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
    }
    config = LlamaConfig(
        vocab_size=257,
        max_position_embeddings=8192,
        initializer_range=0.5,
        eos_token_id=256,
        **sizes,
    )
    LlamaForCausalLM(config).save_pretrained(folder)


def written() -> tuple[list[Any], list[Array], Any]:
    """Let the package write; return what it clipped, its laws, and what it says."""
    module = sys.modules[generate.__module__]
    clipped = []
    laws = []
    clip = module.difference_clip
    choice = np.random.choice

    def keep_clip(logit: Array, publogit: Array, clip_norm: float) -> Any:
        clipped.append((publogit.copy(), logit.copy(), clip_norm))
        return clip(logit=logit, publogit=publogit, clip_norm=clip_norm)

    def keep_law(values: Any, p: Array) -> Any:
        laws.append(p.copy())
        return choice(values, p=p)

    module.difference_clip = keep_clip
    np.random.choice = keep_law
    texts = [f"Person {index} saw a doctor {index} times." for index in range(6)]
    options = {
        "epsilon": EPS,
        "delta": DELTA,
        "temperature": 1.2,
        "batch_size": 4,
        "topk": 50,
        "num": 2,
    }
    set_seed(1)
    with tempfile.TemporaryDirectory() as folder:
        tiny(folder)
        fixed = {
            "dtype": "float32",
            "device_map": -1,
            "allow_download": False,
            "max_toks": 40,
        }
        texts_written = generate(texts, folder, "notes", **fixed, **options)
    return clipped, laws, texts_written


if __name__ == "__main__":
    clipped, laws, texts_written = written()
    law_by_law = zip(clipped, laws, strict=True)
    worst = max(
        abs(p - ours(*logits, 1.2, 2 * logits[2] / 4, 50)).max()
        for logits, p in law_by_law
    )
    print(
        f"{len(laws)} tokens of {len(texts_written.texts)} texts: "
        f"largest distance of two probabilities {worst:.1e}"
    )
    rho = utils.compute_rho(1, 1.0, 4, 0.9)
    print(f"rho of one token: theirs {rho:.6f}, ours {1 / (2 * 4**2 * 0.9**2):.6f}")
    rng = np.random.default_rng(1)
    V = 2000
    for B in (1, 3, 7, 15):
        C = utils.get_clip(EPS, TOKENS, 1.0, B + 1, DELTA)
        lacks = []
        missed = []
        sizes = []
        for _ in range(1000):
            public = -np.log(np.arange(1, V + 1))
            private = public + 1.5 * rng.standard_normal((B, V))
            law = ours(public, private, C, 1.0, np.inf, V)
            most = np.argsort(law)[-TOP:]
            theirs, _ = utils.get_topk(public, TOP, C, B + 1)
            lacks.append(not theirs[most].all())
            missed.append(law[most][~theirs[most]].sum())
            sizes.append((theirs.sum(), (public >= public[TOP - 1] - 2 * C).sum()))
        mean = np.mean(sizes, axis=0)
        print(
            f"B = {B}, C = {C:.3f}: {100 * np.mean(lacks):.1f} % of contexts lack one "
            f"of the top {TOP}, of mass {np.mean(missed):.4f} in the mean; "
            f"{mean[0]:.0f} tokens, {mean[1]:.0f} with the band 2C"
        )
