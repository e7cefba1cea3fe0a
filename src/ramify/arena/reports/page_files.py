"""Writes pages and their pictures. Of what exists only pages and pictures of Ramify are replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from ramify.arena.reports.document import Block, Picture, as_markdown, flat
from ramify.output_files import check_replaceable, is_our_picture, write_output


def page_with(start: str, words: str) -> Callable[[bytes], bool]:
    """Return a function that recognizes our pages by their start and by words that all of them contain."""
    return lambda data: data.startswith(start.encode()) and words.encode() in data


def write_markdown(path: Path, blocks: Iterable[Block], is_ours: Callable[[bytes], bool]) -> list[Path]:
    """Write a page and its pictures, whose names are paths relative to the page. Return all paths.

    The page is written first: it proves that pictures of older versions, which have no mark, are ours.
    """
    page = list(blocks)
    pictures = {path.parent / block.name: block for block in flat(page) if isinstance(block, Picture)}
    target = check_replaceable(path, is_ours)
    before = target.read_bytes() if target.exists() else b""

    def shown(picture: Picture) -> Callable[[bytes], bool]:
        return lambda data: f"]({picture.name})".encode() in before or is_our_picture(data)

    for place, picture in pictures.items():
        check_replaceable(place, shown(picture))
    for place in (path, *pictures):
        place.parent.mkdir(parents=True, exist_ok=True)
    write_output(path, as_markdown(page).encode(), is_ours)
    for place, picture in pictures.items():
        write_output(place, picture.png, shown(picture))
    return [path, *pictures]
