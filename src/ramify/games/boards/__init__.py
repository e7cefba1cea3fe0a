"""What several games share: boards, lines, chains, sets of cells, artificial trees."""
