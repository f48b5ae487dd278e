"""Homes: specifications, geometry, catalogue, scene graph, facts, generator, checks, and the exchange with ProcTHOR."""
