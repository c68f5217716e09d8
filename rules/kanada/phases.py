"""The order of what happens in one second, written once.

Sources: ２章 球 (end before start), ３章 星座効果 (end, grant, activation), ４章 星座複製 (gain before spending),
６章 襲撃権 (granted before spent). Ten apart, so that one kind can be ordered within itself.
"""

from __future__ import annotations

BALL_END = 0
BALL_START = 10
HOLDING_END = 20
GRANT = 30
OPENING = 40
HALF_REWARD = 41
"""Rewards of the 0.5次 event come right after the opening points and before effects (A-34)."""
EFFECT = 43
GAIN = 45
RIGHT_GRANTED = 50
ATTACK = 60
SPENT = 70
RIGHT_LOST = 80
