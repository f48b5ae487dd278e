from .emulator import make_grbl_emulator as make_grbl_emulator
