"""What several games share: boards, texts, rows of stones, chains, sets of cells, artificial trees."""
