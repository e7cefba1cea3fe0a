"""Propositional networks (propnets): ground rules as gates, and the compiled code that evaluates them."""
