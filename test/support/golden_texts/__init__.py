"""The nets: what users see, computed so that it can be held in files and compared with them.

Each net is a module that computes texts by the names of their files; ``holding`` keeps and compares them, and
``tools/make_nets.py`` makes them anew.
"""
