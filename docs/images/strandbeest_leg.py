"""Draws strandbeest_leg.svg, two legs of a Strandbeest in motion: strandbeest_leg.py > strandbeest_leg.svg

The lengths are those of docs/tutorials/strandbeest.md, in centimetres.
"""

import numpy as np

FRAMES = 48
SECONDS = 3
LIGHT, DARK = "#9db4c0", "#1f6f8b"


def meet(p, r, q, s, side):
    """The point at distance r from p and s from q, to the left (+1) or right (-1) of p -> q."""
    d = np.linalg.norm(q - p)
    along = (q - p) / d
    x = (r**2 - s**2 + d**2) / (2.0 * d)
    return p + x * along + side * np.sqrt(r**2 - x**2) * np.array([-along[1], along[0]])


def leg(angle):
    """The polygons of the bodies of a leg, and the foot, with the crank at an angle."""
    O, G = np.zeros(2), np.array([-38.0, -7.8])
    P = 15.0 * np.array([np.cos(angle), np.sin(angle)])
    X = meet(P, 50.0, G, 41.5, -1)
    Y = meet(P, 61.9, G, 39.3, +1)
    Z = meet(G, 40.1, X, 55.8, +1)
    W = meet(Z, 39.4, Y, 36.7, -1)
    F = meet(W, 65.7, Y, 49.0, -1)
    return [(O, P), (P, X), (P, Y), (G, X, Z), (G, Y), (Z, W), (Y, W, F)], F


def text_of(points):
    return " ".join(f"{x:.1f},{-y:.1f}" for x, y in points)


def moving(frames, colour):
    """One element for each body, through all frames."""
    for body in zip(*frames):
        values = ";".join(text_of(points) for points in (*body, body[0]))
        yield (
            f'<polygon points="{text_of(body[0])}" fill="{colour}" fill-opacity="0.25" stroke="{colour}" '
            f'stroke-width="2.5" stroke-linejoin="round"><animate attributeName="points" dur="{SECONDS}s" '
            f'repeatCount="indefinite" values="{values}"/></polygon>'
        )


angles = -2.0 * np.pi * np.arange(FRAMES) / FRAMES
near = [leg(angle) for angle in angles]
far = [leg(angle + np.pi) for angle in angles]
print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="-115 -60 150 165" width="300" height="330">')
print("<title>Legs of a Strandbeest: eleven bars and plates, ten pins, three loops each</title>")
for frames, colour in ((far, LIGHT), (near, DARK)):
    path = text_of([foot for _, foot in frames])
    print(f'<polygon points="{path}" fill="none" stroke="{colour}" stroke-dasharray="2 3"/>')
    print("\n".join(moving([bodies for bodies, _ in frames], colour)))
for x, y in ((0.0, 0.0), (-38.0, 7.8)):
    print(f'<circle cx="{x}" cy="{y}" r="3" fill="#333"/>')
print("</svg>")
