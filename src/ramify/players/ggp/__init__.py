"""The protocol of general game playing: messages of game managers over HTTP, and who answers them."""
