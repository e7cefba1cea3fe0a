"""Bridges to games of other systems; one module per system, named by the prefix before the colon."""
