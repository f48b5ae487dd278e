"""Figures of many episodes: means, paired differences, confidence intervals, calibration."""
