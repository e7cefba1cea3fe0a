"""Python side of ``core.hooks``: kernels, blocks and columns of each hook."""
