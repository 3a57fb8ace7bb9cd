"""Writes a captured terminal screen (tmux capture-pane -e -p) on standard input as SVG. The argument is its title."""
import re
import sys
import unicodedata
from xml.sax.saxutils import escape

WIDTH, HEIGHT, MARGIN = 8.4, 17, 12
# The background is the one that vanorb watch draws, so that cells it leaves alone do not show as patches.
BACKGROUND, FOREGROUND = "#080808", "#d8d8e0"
BASIC = ("#000000 #cd3131 #0dbc79 #e5e510 #2472c8 #bc3fbc #11a8cd #e5e5e5 "
         "#666666 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db #ffffff").split()


def palette(number):
    """A colour of the terminal's 256."""
    if number < 16:
        return BASIC[number]
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    steps = (0, 95, 135, 175, 215, 255)
    number -= 16
    return "#%02x%02x%02x" % (steps[number // 36], steps[number // 6 % 6], steps[number % 6])


class Style:
    def __init__(self):
        self.front = self.back = None
        self.bold = self.dim = self.reverse = False

    def apply(self, codes):
        codes = [int(code or 0) for code in re.split("[;:]", codes)]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code in (1, 2, 7):
                setattr(self, {1: "bold", 2: "dim", 7: "reverse"}[code], True)
            elif code == 22:
                self.bold = self.dim = False
            elif code == 27:
                self.reverse = False
            elif code in (38, 48):
                kind = codes.pop(0)
                if kind == 5:
                    colour = palette(codes.pop(0))
                else:
                    colour, codes = "#%02x%02x%02x" % tuple(codes[:3]), codes[3:]
                setattr(self, "front" if code == 38 else "back", colour)
            elif code in (39, 49):
                setattr(self, "front" if code == 39 else "back", None)
            elif code // 10 in (3, 9):
                self.front = BASIC[code % 10 + (8 if code >= 90 else 0)]
            elif code // 10 in (4, 10):
                self.back = BASIC[code % 10 + (8 if code >= 100 else 0)]

    def look(self):
        """Foreground, background, bold, dim, as they are seen."""
        front, back = self.front or FOREGROUND, self.back or BACKGROUND
        if self.reverse:
            front, back = back, front
        return front, back, self.bold, self.dim


def cells(line):
    """The characters of a line with their looks; a wide one takes two cells."""
    style, row = Style(), []
    for escaped, character in re.findall(r"\x1b\[([0-9;:]*)m|([^\x1b\x0e\x0f])", line):
        if not character:
            style.apply(escaped)
            continue
        if unicodedata.combining(character):
            continue
        row.append((character, style.look()))
        if unicodedata.east_asian_width(character) in "WF":
            row.append(("", style.look()))
    return row


def runs(row, key):
    """Stretches of cells that agree in a key: where they begin, and the cells."""
    start = 0
    for place in range(1, len(row) + 1):
        if place == len(row) or key(row[place]) != key(row[start]):
            yield start, row[start:place]
            start = place


BLOCKS = {"▀": (0, .5), "▄": (.5, 1), "█": (0, 1)}


def rectangle(column, top, count, height, colour):
    return (f'<rect x="{MARGIN + column * WIDTH:.1f}" y="{MARGIN + top:.1f}" width="{count * WIDTH:.1f}" '
            f'height="{height:.1f}" fill="{colour}"/>')


def main():
    rows = [cells(line) for line in sys.stdin.read().rstrip("\n").split("\n")]
    columns = max(map(len, rows))
    width, height = columns * WIDTH + 2 * MARGIN, len(rows) * HEIGHT + 2 * MARGIN
    title = escape(sys.argv[1] if len(sys.argv) > 1 else "A terminal")
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img">')
    print(f"<title>{title}</title>")
    print(f'<rect width="100%" height="100%" rx="10" fill="{BACKGROUND}"/>')
    print('<g shape-rendering="crispEdges">')
    for number, row in enumerate(rows):
        top = number * HEIGHT
        for start, part in runs(row, lambda cell: cell[1][1]):
            if part[0][1][1] != BACKGROUND:
                print(rectangle(start, top, len(part), HEIGHT, part[0][1][1]))
        # Blocks are drawn, as fonts leave seams between them.
        for start, part in runs(row, lambda cell: (cell[0] if cell[0] in BLOCKS else "", cell[1][0])):
            if part[0][0] in BLOCKS:
                begin, end = BLOCKS[part[0][0]]
                print(rectangle(start, top + begin * HEIGHT, len(part), (end - begin) * HEIGHT, part[0][1][0]))
    print("</g>")
    print('<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">')
    for number, row in enumerate(rows):
        for start, part in runs(row, lambda cell: (cell[1], cell[0] in BLOCKS)):
            text = "".join(cell[0] for cell in part)
            front, _, bold, dim = part[0][1]
            if not text.strip() or text[0] in BLOCKS:
                continue
            looks = ' font-weight="bold"' if bold else ""
            looks += ' opacity=".6"' if dim else ""
            print(f'<text x="{MARGIN + start * WIDTH:.1f}" y="{MARGIN + number * HEIGHT + 13:.1f}" fill="{front}" '
                  f'textLength="{len(part) * WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"{looks}>{escape(text)}</text>')
    print("</g>\n</svg>")


main()
