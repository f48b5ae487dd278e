"""Long exploration with touch, questions, re-entry and better answers (EXCALIBUR, CVPR 2023)."""
