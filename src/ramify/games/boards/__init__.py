"""Code shared by several games: boards, position texts, stones in a row, chains, cell sets, artificial trees."""
