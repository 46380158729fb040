"""What lies where, as one viewer may see it: the part of a state that could give a card away.

Rules, by game: TIFO's zones are open to all (with `hidden_discard` its discard is not). A card before a Tipouik
player has a face for that player alone, a pose has one once the referee has revealed it. In Тьфу! only what the
referee names as a column's open top has a face, also for the player himself; centres are open.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cards import Card
from engine.setup import Setup
from engine.zones import centre_of, column_of, seat_of
from firmware.web.show import Json

MOST_OF_A_PILE = 4
"""Cards of a pile that are sent; of the others only how many there are."""
View = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on the table. `takers`: the seats that may take it up."""

    card: Card
    zone: str
    source: str
    takers: frozenset[int] = frozenset()


def zones(setup: Setup, view: View, lying: Sequence[Lying], seat: int | None) -> Json:
    """Every zone: its kind, how many cards, the cards from the lowest to the topmost, what is wrong there."""
    told: Json = {}
    wrong = _wrong(view)
    for zone, kind in setup.zones.items():
        here = [entry for entry in lying if entry.zone == zone]
        piled = zone.startswith("centre") or (zone == "discard" and not view.get("ola"))
        shown = here[-MOST_OF_A_PILE:] if piled else here
        told[zone] = {
            "kind": kind.value,
            "count": len(here),
            "cards": [_card(setup, view, entry, seat, wrong) for entry in shown],
            "bad": sum(1 for where, _ in wrong if where == zone),
        }
    return told


def _card(setup: Setup, view: View, entry: Lying, seat: int | None, wrong: set[tuple[str, str | None]]) -> Json:
    face = open_to(setup, view, entry, seat)
    card: Json = {"c": entry.card if face else None, "from": entry.source}
    if face and (entry.zone, entry.card) in wrong:
        card["bad"] = True
    if face and seat in entry.takers:
        card["take"] = True
    return card


def open_to(setup: Setup, view: View, entry: Lying, seat: int | None) -> bool:
    """Whether this viewer may see the card's face."""
    match setup.spec.id:
        case "tifo":
            return entry.zone != "discard" or not setup.option("hidden_discard")
        case "tipouik":
            return seat is not None and seat_of(entry.zone) == seat
        case _:
            return centre_of(entry.zone) is not None or _is_open_top(view, entry)


def _is_open_top(view: View, entry: Lying) -> bool:
    column = column_of(entry.zone)
    seats = view["seats"]
    if column is None or not isinstance(seats, list):
        return False
    columns = seats[column[0] - 1]["columns"]
    return columns is not None and columns[column[1] - 1]["open"] == entry.card


def _wrong(view: View) -> set[tuple[str, str | None]]:
    found = view.get("corrections", ())
    assert isinstance(found, list), "a view lists its corrections"
    return {(str(c["zone"]), c.get("card")) for c in found}


def centre(view: View) -> Json:
    """Tipouik: the last pose (with faces once revealed), how many lie beneath it, what is out of the round."""
    last, buried = view["last"], int(str(view["centre"]))
    pose: list[Card | None] = []
    if isinstance(last, dict):
        settled = last["challenged"] and view["settle"] is None
        pose = [] if settled else list(last["cards"] or [None] * last["count"])
        buried -= 0 if last["challenged"] else len(pose)
    return {"pose": pose, "heap": max(0, buried), "out": view["out"]}


def watched(setup: Setup, view: View, lies: Mapping[Card, str]) -> Json:
    """What a table shows whose hands nobody here moves: zones as the sensors see them, hands as they are counted."""
    lying = [Lying(card, zone, "") for card, zone in lies.items()]
    seats = view["seats"]
    assert isinstance(seats, list), "a view has seats"
    told: Json = {
        "game": setup.spec.id,
        "seats": setup.seats,
        "mode": setup.mode.value,
        "options": dict(setup.options),
        "screens": ["all", *(f"seat{n}" for n in range(1, setup.seats + 1))],
        "me": None,
        "humans": [],
        "view": view,
        "zones": zones(setup, view, lying, None),
        "hands": {str(seat["seat"]): _counted(setup, seat) for seat in seats},
    }
    if setup.spec.id == "tipouik":
        told["centre"] = centre(view)
    return told


def _counted(setup: Setup, seat: Mapping[str, object]) -> Json:
    if setup.spec.id == "tfu":
        return {"n": 0, "cards": [], "spare": seat["spare"]}
    return {"n": seat["hand"], "cards": None}


def sorted_hand(setup: Setup, cards: Sequence[Card]) -> list[Card]:
    """A hand as people hold it: in the order of the pack."""
    place = {card: n for n, card in enumerate(setup.spec.pack(setup.seats))}
    return sorted(cards, key=lambda card: place.get(card, -1))
