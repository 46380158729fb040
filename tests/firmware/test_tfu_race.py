"""Races of Тьфу! (S18, S19) through everything: chip, driver, poller, presence, order, controller, referee.

Hands put emulated tags down at times that the test knows exactly. Tags need up to 5 ms of field before they answer,
each its own time, so the chip that answers first is not always that of the card that lay there first.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, permutations
from random import Random

import pytest

from engine.cards import TFU_DECK
from engine.games import SPECS, referee_for
from engine.observations import Lifted, Observation, Placed, interval, overlap
from engine.referee import Referee
from engine.rulings import Move, Over, Refused, Ruling
from engine.setup import Setup
from engine.tfu.cards import adjacent
from engine.tfu.referee import TfuReferee
from engine.tfu.state import State
from engine.zones import ZoneKind
from firmware.deck import emulated_deck
from firmware.demo import Variant, kinds_for, pace_s, table_for
from firmware.recordfile import Lines
from firmware.rig import Physics, build_table
from hardware.twin.tags import READS_S

SPEC = SPECS["tfu"]
SIZES = (4, 3, 2, 1)
RACES = 5
"""Races on one table, one after the other."""
CROSSING_S = 0.09
KINDS = ("told apart", "two piles", "tie, legal", "tie, refused")
"""What a race can be, as `check` names it."""


@dataclass(frozen=True)
class Slam:
    """A card that truly touches a pile at `at`."""

    at: float
    pile: int
    card: str

    @property
    def zone(self) -> str:
        return f"centre{self.pile}"


@dataclass
class Verdicts:
    """What was said of each card: a move or a rule; which refusals carry `tie`; where and when it was seen."""

    said: dict[str, str] = field(default_factory=dict)
    ties: set[str] = field(default_factory=set)
    seen: list[Placed] = field(default_factory=list)

    def hear(self, observation: Observation, rulings: Sequence[Ruling]) -> None:
        if not isinstance(observation, Placed) or not observation.zone.startswith("centre"):
            return
        self.seen.append(observation)
        for ruling in rulings:
            if isinstance(ruling, Refused):
                self.said[observation.card] = ruling.rule
                self.ties |= {observation.card} if ruling.tie else set()
            elif isinstance(ruling, Move) and ruling.move in ("play", "spit"):
                self.said[observation.card] = ruling.move


@dataclass(frozen=True)
class Race:
    """Two cards in their true order, what was said of them, and a referee as he was before."""

    slams: tuple[Slam, Slam]
    heard: Verdicts
    before: Referee[State]
    now: float

    def true(self, order: Sequence[Slam]) -> Verdicts:
        """The verdicts if the cards touch in that order and everybody can tell."""
        truth, verdicts = self.before.fork(), Verdicts()
        for n, slam in enumerate(order, 1):
            placed = Placed(self.now + n, slam.zone, slam.card)
            verdicts.hear(placed, truth.receive(placed))
        return verdicts

    def blurred(self) -> bool:
        """Whether the sensors cannot tell who was first."""
        one, other = self.heard.seen
        return overlap(interval(one), interval(other))


class Game:
    """A table for two and its cards. Every card has a chip that wakes at its own speed."""

    def __init__(self, seed: int, *, watched: bool = False, variant: Variant = Variant.FULL, top: int = 2) -> None:
        self.random = Random(f"race/{seed}")
        setup = Setup(SPEC, 2, zones=kinds_for(SPEC, 2, variant, not watched))
        made = table_for(SPEC, 2, variant, not watched)
        physics = Physics(top=top, tops=made.tops, seed=seed, pace_s=pace_s(made.layout))
        referee = referee_for(setup)
        self.table = build_table(referee, made.layout, emulated_deck(TFU_DECK), Lines(), physics)
        for tag in self.table.tags.values():
            tag.settle_s = self.random.uniform(0, READS_S)
        assert isinstance(referee, TfuReferee)
        assert self.table.controller is not None
        self.referee, self.controller, self.watched = referee, self.table.controller, watched
        self.heard: Verdicts = Verdicts()
        self.overs: list[str] = []
        self.controller.on_rulings.append(self._hear)
        cards = list(TFU_DECK)
        self.random.shuffle(cards)
        self.columns: dict[str, list[str]] = {}
        for zone, size in ((f"seat{n}.col{c + 1}", size) for n in (1, 2) for c, size in enumerate(SIZES)):
            self.columns[zone], cards = cards[:size], cards[size:]
        self.spare = cards

    def _hear(self, observation: Observation, rulings: Sequence[Ruling]) -> None:
        self.heard.hear(observation, rulings)
        self.overs += [ruling.by for ruling in rulings if isinstance(ruling, Over)]

    # -- hands -----------------------------------------------------------------------------------------------

    def soon(self) -> float:
        """A moment that no machine has reached yet."""
        return self.table.horizon() + 0.05

    def put(self, zone: str, card: str, at: float) -> None:
        """Down on a zone; across it, where that is all it sees."""
        tag, air = self.table.tags[card], self.table.field
        readers = [a.reader for a in self.table.layout.readers if a.zone == zone]
        air.put(tag, min(readers, key=lambda reader: len(air.pile(reader, at))), at)
        if self.referee.setup.kind(zone) is ZoneKind.PASS:
            air.take(tag, at + CROSSING_S)

    def lift(self, card: str, at: float) -> None:
        if self.table.field.where(self.table.tags[card], at) is not None:
            self.table.field.take(self.table.tags[card], at)

    def press(self, button: str) -> None:
        at = self.soon()
        self.controller.press(button, at)
        self.table.loop.run_to(at + 0.1)

    def begin(self) -> None:
        """Lay out, "Тьфу!", and the owed card of each player."""
        for layer in range(max(SIZES)) if self.watched else ():
            at = self.soon()
            for zone, cards in self.columns.items():
                if layer < len(cards):
                    self.put(zone, cards[layer], at)
            self.table.loop.run_to(at + 0.4)
        self.press("seat1.call")
        at = self.soon()
        for pile in (1, 2):
            self.put(f"centre{pile}", self.spare.pop(), at)
        self.table.loop.run_to(at + 0.3)
        assert list(self.heard.said.values()) == ["spit", "spit"]

    def take_up(self) -> None:
        """All piles leave the table for the next deal."""
        at = self.soon()
        for card in TFU_DECK:
            self.lift(card, at)
        self.table.loop.run_to(at + 2.0)
        assert self.controller.senses.presence.lying() == ()

    # -- a race ----------------------------------------------------------------------------------------------

    def candidates(self) -> list[tuple[str, str]]:
        """Cards that a hand may put on a pile next, with their columns, if those have readers."""
        if not self.watched:
            return [("", card) for card in TFU_DECK if card not in self.referee.state.gone]
        return [(zone, cards[-1]) for zone, cards in self.columns.items() if cards]

    def race(self, apart_s: float, piles: tuple[int, int]) -> Race:
        """Two hands; the first card often fits the pile, the second often fits the first, or the pile as it was."""
        cards = self.candidates()
        first, second = self.random.sample(cards, 2)
        if self.random.random() < 0.7:
            first = self._fitting(self.referee.state.top(piles[0]), cards) or first
        if self.random.random() < 0.8:
            under = first[1] if self.random.random() < 0.6 and piles[0] == piles[1] else None
            rest = [one for one in cards if one != first]
            second = self._fitting(under or self.referee.state.top(piles[1]), rest) or second
        second = second if second != first else next(one for one in cards if one != first)
        if self.random.random() < 0.3:
            first, second = second, first
        at = self.soon() + 0.15 + self.random.random() * 0.02
        slams = (Slam(at, piles[0], first[1]), Slam(at + apart_s, piles[1], second[1]))
        before = self.referee.fork()
        for (zone, card), slam in zip((first, second), slams, strict=True):
            if self.watched:
                self.lift(card, slam.at - self.random.uniform(0.05, 0.15))
                self.columns[zone].remove(card)
            self.put(slam.zone, card, slam.at)
            if self.watched:
                before.receive(Lifted(self.table.loop.now, zone, card))
        self.heard = heard = Verdicts()
        self.table.loop.run_to(at + 0.3)
        race = Race(slams, heard, before, self.table.loop.now)
        self._put_right({first[1]: first[0], second[1]: second[0]})
        return race

    def _fitting(self, under: str | None, cards: list[tuple[str, str]]) -> tuple[str, str] | None:
        fit = [one for one in cards if under is not None and adjacent(one[1], under)]
        return self.random.choice(fit) if fit else None

    def _put_right(self, homes: dict[str, str]) -> None:
        """Refused cards come off, last first, and go back; what no reader saw is told by the arbiter."""
        for correction in reversed(self.referee.corrections):
            at = self.soon()
            card = str(correction.card)
            self.lift(card, at)
            self.table.loop.run_to(at + 0.3)
            if self.watched:
                self.columns[homes[card]].append(card)
                self.put(homes[card], card, self.soon())
                self.table.loop.run_to(self.soon() + 0.5)
        while self.referee.corrections:
            self.press("table.undo")
        self.table.loop.run_to(self.soon() + 0.1)


def check(race: Race) -> str:
    """Hold the verdicts against the truth; what kind of race it was."""
    slams, heard = race.slams, race.heard
    assert sorted(o.card for o in heard.seen) == sorted(slam.card for slam in slams)  # each once, none lost
    assert set(heard.said) == {slam.card for slam in slams}
    touched = {slam.card: slam.at for slam in slams}
    for o in heard.seen:
        after, contact = interval(o)
        assert after <= touched[o.card] <= contact
    one_pile = slams[0].pile == slams[1].pile
    true = race.true(slams)
    if not (one_pile and race.blurred()):
        assert heard.said == true.said
        assert heard.ties == set()
        return "told apart" if one_pile else "two piles"
    orders = [race.true(order).said for order in permutations(slams)]
    legal = [said for said in orders if set(said.values()) == {"play"}]
    assert heard.said in (legal or orders)
    later = heard.seen[1].card
    assert heard.ties == ({later} if heard.said[later] != "play" else set())
    return "tie, legal" if legal else "tie, refused"


def apart(random: Random) -> float:
    """0 to 50 ms, often within one look."""
    return random.choice((random.uniform(0, 0.05), random.uniform(0, 0.012), 0.0))


def races(tables: Iterable[Game]) -> Counter[str]:
    """Some races on each table, more of them on one pile than on two; how many of each kind there were."""
    kinds: Counter[str] = Counter()
    for game in tables:
        game.begin()
        for _ in range(RACES):
            pile = game.random.choice((1, 2))
            piles = (pile, pile) if game.random.random() < 0.7 else (pile, 3 - pile)
            kinds[check(game.race(apart(game.random), piles))] += 1
    return kinds


@pytest.mark.slow
@pytest.mark.parametrize("variant", [Variant.FULL, Variant.PASS], ids=["pile", "pass"])
def test_on_a_small_table_the_true_order_of_contact_counts(variant: Variant) -> None:
    kinds = races(Game(seed, variant=variant) for seed in range(14))
    assert min(kinds[kind] for kind in KINDS) >= 5


@pytest.mark.slow
def test_on_a_watched_table_the_true_order_of_contact_counts() -> None:
    """Each card comes out of a column; 34 readers look less often than two, so more is left to the tie."""
    kinds = races(Game(seed, watched=True) for seed in range(3))
    assert sum(kinds.values()) == 3 * RACES


def test_an_illegal_card_on_one_pile_takes_no_legal_order_from_two_on_the_other() -> None:
    """Three cards at the same moment: the second of pile 1 fits only the first, the one on pile 2 fits nothing."""
    turned = 0
    for seed in range(6):
        game = Game(seed)
        owed, plays, wrong = chain(game.random, 2, one_pile=True)
        while plays[0][0] != 1 or plays[1][0] != 1 or adjacent(wrong, owed[1]) or adjacent(plays[1][1], owed[0]):
            owed, plays, wrong = chain(game.random, 2, one_pile=True)
        game.spare = owed[::-1]
        game.begin()
        game.heard, at = Verdicts(), game.soon()
        game.put("centre2", wrong, at)
        for pile, card in plays:
            game.put(f"centre{pile}", card, at)
        game.table.loop.run_to(at + 0.3)
        assert game.heard.said == {wrong: "tfu/step", plays[0][1]: "play", plays[1][1]: "play"}
        contacts = {o.card: interval(o)[1] for o in game.heard.seen}
        turned += contacts[plays[1][1]] < contacts[plays[0][1]]
    assert turned  # the second answered first at least once


# -- speed ---------------------------------------------------------------------------------------------------

ROUND = 20
"""Plays of a round: all cards of both players' columns."""
EACH_S = 0.2
"""Each of two players puts down five cards a second."""


def chain(random: Random, plays: int, one_pile: bool) -> tuple[list[str], list[tuple[int, str]], str]:
    """Two owed cards, plays that fit in their order, (pile, card), and a card that does not fit pile 1 after them.

    Players take turns in it. `one_pile`: both may slam on the same pile at once.
    """
    while True:
        cards = list(TFU_DECK)
        random.shuffle(cards)
        owed = [cards.pop(), cards.pop()]
        tops, made = dict(enumerate(owed, 1)), list[tuple[int, str]]()
        for n in range(plays):
            fit = [(pile, card) for pile in (1, 2) for card in cards if adjacent(card, tops[pile])]
            if n % 2 and not (one_pile and random.random() < 0.3):
                fit = [one for one in fit if one[0] != made[-1][0]]
            if not fit:
                break
            pile, card = random.choice(fit)
            made.append((pile, card))
            tops[pile] = card
            cards.remove(card)
        else:
            return owed, made, next(card for card in cards if not adjacent(card, tops[1]))


def burst(game: Game, plays: list[tuple[int, str]], wrong: str | None) -> list[Slam]:
    """Ten cards a second; half of the pairs within 8 ms, a look. Every verdict, in the order of contact."""
    random, begin = game.random, game.soon() + 0.2
    slams: list[Slam] = []
    for n, (pile, card) in enumerate(plays):
        late = random.choice((random.uniform(0, 0.008), random.uniform(0, 0.1))) if n % 2 else 0.0
        slams.append(Slam(begin + n // 2 * EACH_S + late, pile, card))
    if wrong is not None:
        slams.append(Slam(begin + (len(plays) + 1) // 2 * EACH_S, 1, wrong))
    for slam in slams:
        if game.watched:
            game.lift(slam.card, slam.at - 0.06)
        game.put(slam.zone, slam.card, slam.at)
    game.heard = heard = Verdicts()
    game.table.loop.run_to(slams[-1].at + 0.3)
    assert heard.said == {slam.card: "tfu/step" if slam.card == wrong else "play" for slam in slams}
    assert len(heard.seen) == len(slams)
    touched = {slam.card: slam.at for slam in slams}
    for earlier, later in combinations(heard.seen, 2):
        if touched[earlier.card] > touched[later.card]:  # judged in the other order
            assert overlap(interval(earlier), interval(later))
            assert earlier.zone != later.zone
    return slams


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "top", "rounds"),
    [(Variant.FULL, 1, 30), (Variant.FULL, 2, 10), (Variant.PASS, 2, 10)],
    ids=["k=1, 600 plays", "k=2, 200 plays", "pass, 200 plays"],
)
def test_for_a_minute_of_ten_plays_a_second_each_gets_its_verdict(variant: Variant, top: int, rounds: int) -> None:
    """Two seconds and 20 plays a round, and a card that does not fit; between rounds the piles are taken up."""
    game = Game(1, variant=variant, top=top)
    slams: list[Slam] = []
    for number in range(rounds):
        owed, plays, wrong = chain(game.random, ROUND, one_pile=top > 1)
        game.spare = owed[::-1]
        game.heard = Verdicts()
        game.begin()
        slams += burst(game, plays, wrong)
        game.press(f"seat{number % 2 + 1}.ok")
        assert game.overs == ["columns-empty"] * (number + 1)
        game.take_up()
    assert len(slams) == rounds * (ROUND + 1)
    # both centres got a card within 8 ms, the pace of a reader
    assert sum(a.pile != b.pile and b.at - a.at < 0.008 for a, b in pairwise(slams)) > rounds * 3


@pytest.mark.slow
def test_on_a_watched_table_ten_plays_a_second_come_out_of_the_columns() -> None:
    """19 plays: with his tenth the first player has emptied his columns."""
    game = Game(1, watched=True)
    owed, plays, left = chain(game.random, ROUND - 1, one_pile=True)
    game.spare = owed[::-1]
    for seat, cards in ((1, plays[0::2]), (2, [*plays[1::2], (0, left)])):
        order = [f"seat{seat}.col{c + 1}" for c, size in enumerate(SIZES) for _ in range(size)]
        game.random.shuffle(order)
        for zone in set(order):
            game.columns[zone] = [card for (_, card), of in zip(cards, order, strict=True) if of == zone][::-1]
    game.begin()
    burst(game, plays, None)
    assert game.overs == ["columns-empty"]
