"""Question sets of others without their scenes: OpenEQA and HM-EQA."""
