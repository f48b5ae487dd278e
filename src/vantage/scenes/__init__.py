"""Homes: specifications, geometry, catalogue, scene graph, generator, checks, and the exchange with ProcTHOR."""
