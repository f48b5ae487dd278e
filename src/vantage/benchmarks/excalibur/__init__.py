"""EXCALIBUR (CVPR 2023): explore a house with an arm, answer, go in again, answer better."""
