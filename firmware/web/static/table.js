// The table from above: seats, zones, piles, the hand, the keys. Pure: from a state to elements.

import { h } from "./dom.js";
import { card, cardName } from "./faces.js";
import { may, seatName, t } from "./words.js";

export const who = (state, n) => (n === state.me ? t("page.you") : seatName(n));
const seats = (state) => Array.from({ length: state.seats }, (_, i) => i + 1);
const isMine = (state, zone) => state.me !== null && (zone === `seat${state.me}` || zone.startsWith(`seat${state.me}.`));
const others = (state) => {
  const all = seats(state);
  if (state.me === null) return all;
  return all.map((_, i) => all[(state.me - 1 + i) % all.length]).filter((n) => n !== state.me);
};

export function zoneName(state, zone) {
  if (zone === "hand") return t("page.hand");
  if (zone === "discard" || zone === "draw") return t(`zone.${zone}`);
  if (zone.startsWith("centre")) return t("zone.centre", { n: zone.slice(6) });
  const [seat, column] = [Number(zone.match(/^seat(\d+)/)?.[1]), zone.split(".col")[1]];
  if (column) return isMine(state, zone) ? t("zone.my-column", { n: column }) : t("zone.column", { n: column, who: seatName(seat) });
  return isMine(state, zone) ? t("zone.mine") : t("zone.seat", { who: seatName(seat) });
}

// Where what is picked up may be put, legal or not: that is for the referee to say.
function takes(state, picked, zone) {
  if (!picked || picked.from === "draw" || picked.from === zone) return false;
  if (state.game === "tifo") return true;
  if (state.game === "tipouik") return isMine(state, zone);
  return zone.startsWith("centre") || (picked.card !== "spare" && isMine(state, zone));
}

function target(state, picked, drop, name) {
  const label = drop === "hand" ? t("do.back") : t("do.put", { card: cardName(picked.card === "draw" ? null : picked.card), zone: name });
  return h("button", { type: "button", class: "target", "data-key": `to:${drop}`, "data-drop": drop, "aria-label": label });
}

// A table of a builder's own may have fewer screens than seats.
export function screen(state, name, label, big, lamp) {
  if (!state.screens.includes(name)) return null;
  return h(
    "figure", { class: `oled${big ? " big" : ""}`, "data-key": `oled:${name}`, role: "img", "aria-label": label },
    h("canvas", { "data-key": `canvas:${name}`, "data-screen": name, width: 128, height: 64 }), lamp === undefined ? null : lampOf(name, lamp),
  );
}

const lampOf = (name, colour) => h("span", { class: `lamp ${colour ?? "black"}`, "data-key": `lamp:${name}`, "data-lamp": name, "data-colour": colour ?? "black", role: "img", "aria-label": t("page.lamp") });

function cardsOf(state, zone, picked) {
  const list = state.zones[zone].cards;
  return list.map((entry, i) =>
    card(entry.c, {
      key: entry.c === null ? `b:${zone}:${i}` : `c:${entry.c}`, source: entry.from, from: zone, move: entry.take && state.me !== null, bad: entry.bad,
      picked: picked && picked.card === entry.c && picked.from === zone, label: entry.bad ? `${cardName(entry.c)}: ${t("page.fix")}` : undefined,
    }));
}

function zoneBox(state, zone, picked, extra = "") {
  const here = state.zones[zone];
  if (!here) return null;
  const name = zoneName(state, zone);
  const held = here.cards.map((entry) => cardName(entry.c)).join("; ") || t("zone.empty");
  const mends = here.cards.filter((entry) => entry.bad && entry.take).map((entry) =>
    h("button", { type: "button", class: "mend", "data-key": `mend:${entry.c}`, "data-take": entry.c, "aria-label": `${t("do.back")}: ${cardName(entry.c)}` }, t("do.back")));
  return h(
    "section", { class: `zone ${extra}${here.bad ? " bad" : ""}`, "data-key": `zone:${zone}`, "data-zone": zone, "data-anchor": zone, role: "group", "aria-label": `${name}: ${held}` },
    h("span", { class: "name", "aria-hidden": "true" }, zone.includes(".col") ? zone.split(".col")[1] : [name, isMine(state, zone) ? points(state, state.me) : ""].filter(Boolean).join(" · ")), cardsOf(state, zone, picked), mends, takes(state, picked, zone) ? target(state, picked, zone, name) : null,
  );
}

function zonesOf(state, n, picked) {
  const own = Object.keys(state.zones).filter((zone) => zone === `seat${n}` || zone.startsWith(`seat${n}.`));
  return own.map((zone) => zoneBox(state, zone, picked, zone.includes(".col") ? `column c${zone.split(".col")[1]}` : ""));
}

function fan(state, n) {
  const hand = state.hands[n];
  const count = state.game === "tfu" ? hand.spare : hand.n;
  const shown = Math.min(count, 9);
  const label = state.game === "tfu" ? `${t("zone.spare")}: ${t("zone.count", { n: count })}` : t("page.hand-of", { n: count });
  return h("div", { class: "fan", "data-anchor": `hand${n}`, role: "img", "aria-label": label },
    Array.from({ length: shown }, (_, i) => card(null, { key: `h:${n}:${i}`, quiet: true })), h("b", { "aria-hidden": "true" }, count));
}

function tags(state, n) {
  const facts = state.view.seats[n - 1];
  const list = [];
  if (state.kind === "virtual") list.push(h("span", { class: "tag" }, t(state.humans.includes(n) ? "page.human" : "page.bot")));
  if (points(state, n)) list.push(h("span", { class: "tag points" }, points(state, n)));
  if (facts.king) list.push(h("span", { class: "tag title" }, "TipouiKing"));
  if (facts.abru) list.push(h("span", { class: "tag title" }, "AbruTipouik"));
  if (facts.out) list.push(h("span", { class: "tag" }, t("zone.out")));
  return list;
}

// Points of the rounds before, or of the last one.
const points = (state, n) => (state.game === "tipouik" && (state.view.scores || state.view.round > 1) ? t("zone.points", { n: state.view.seats[n - 1].total }) : "");
export const roundOf = ({ game, view }) => (game === "tipouik" && view.rounds > 1 ? t("page.round-of", { n: view.round, of: view.rounds }) : game === "tfu" && view.round > 1 ? t("page.round", { n: view.round }) : "");

const onTurn = (state, n) => state.view.turn === n || state.view.settle?.seat === n || state.view.seats[n - 1].owes;

function seat(state, n, picked, lamps) {
  const give = picked && state.game === "tipouik" && picked.from === "hand" && (giving(state) === n || giving(state) === 0);
  const rob = state.game === "tifo" && state.view.ola && state.view.turn === state.me && !state.view.seats[n - 1].out;
  return h(
    "article", { class: `seat${onTurn(state, n) ? " on" : ""}${state.view.seats[n - 1].out ? " gone" : ""}${state.game === "tfu" ? " wide" : ""}`, "data-key": `seat:${n}`, "data-seat": n, "aria-label": seatName(n) },
    screen(state, `seat${n}`, t("page.screen", { who: seatName(n) }), false),
    h("div", { class: "plate" }, h("h2", {}, lampOf(`seat${n}`, lamps[`seat${n}`]), seatName(n), tags(state, n)), fan(state, n)),
    h("div", { class: "zones" }, zonesOf(state, n, picked)),
    rob ? h("button", { type: "button", class: "rob", "data-key": "rob", "data-push": `seat${n}.ok`, "aria-label": `${t("do.rob")}: ${seatName(n)}` }, t("do.rob")) : null,
    give ? h("button", { type: "button", class: "give", "data-key": "give", "data-drop": `give:${n}` }, h("span", {}, t("do.give", { card: cardName(picked.card), who: seatName(n) }))) : null,
  );
}

// Tipouik: to whom I am to give a card; 0: to anybody who may be meant, null: to nobody.
function giving(state) {
  const settle = state.view.settle;
  if (settle?.stage === "give" && settle.seat === state.me) return settle.accused;
  return state.view.phase === "gift" ? 0 : null;
}

export const seatsAbove = (state, picked, lamps) => others(state).map((n) => seat(state, n, picked, lamps));

export function mine(state, picked, lamps) {
  const n = state.me;
  if (n === null) return [];
  const zones = zonesOf(state, n, picked);
  if (state.game === "tfu") {
    const spare = state.hands[n].spare;
    const top = spare ? card(null, { key: "spare", move: true, card: "spare", from: "spare", deck: true, picked: picked?.card === "spare", label: `${t("zone.spare")}: ${t("zone.count", { n: spare })}` }) : null;
    zones.unshift(h("div", { class: "zone column c0", "data-key": "zone:spare", "data-anchor": `hand${n}`, role: "group", "aria-label": t("zone.spare") }, h("span", { class: "name" }, `${t("zone.spare")} ${spare}`), top));
  }
  return [
    h("div", { class: "zones", "data-key": "my-zones" }, zones),
    screen(state, `seat${n}`, t("page.screen", { who: t("page.you") }), true, lamps[`seat${n}`]),
  ];
}

function drawPile(state, picked) {
  const left = state.view.pile;
  const due = state.view.may.includes("draw") && state.view.due.includes(state.me);
  const hot = state.me !== null && (due || state.view.due[0] === state.me);
  const name = `${t("zone.draw")}: ${t("zone.count", { n: left })}`;
  const top = left ? card(null, { key: "deck", quiet: true, deck: true }) : null;
  const can = state.me !== null && "draw" in state.zones && left > 0;
  const stack = can
    ? h("button", { type: "button", class: "stack", "data-key": "draw", "data-anchor": "draw", "data-card": "draw", "data-from": "draw", "data-v": `${left}`, "aria-label": `${t("do.draw")}. ${name}` }, top)
    : h("div", { class: "stack", "data-key": "draw", "data-anchor": "draw", role: "img", "aria-label": name }, top);
  return h("div", { class: `pile${hot ? " hot" : ""}`, "data-key": "pile:draw" }, stack, h("span", { class: "name" }, t("zone.draw"), " ", h("b", {}, left), ` · ${state.view.pile_number}/${state.view.last_pile}`));
}

function pile(state, zone, picked, facts = {}) {
  const here = state.zones[zone];
  const cards = cardsOf(state, zone, picked);
  const name = zoneName(state, zone);
  const top = here.cards.at(-1);
  const label = `${name}: ${top ? cardName(top.c) : t("zone.empty")}, ${t("zone.count", { n: facts.count ?? here.count })}`;
  const fanned = zone === "discard" && here.cards.filter((entry) => entry.take).length > 1;  // OLA: any of them may be meant
  const bad = here.cards.filter((entry) => entry.bad && entry.take).map((entry) => h("button", { type: "button", class: "mend", "data-key": `mend:${entry.c}`, "data-take": entry.c }, t("do.back")));
  return h(
    "div", { class: `pile${here.bad ? " bad" : ""}${facts.closed ? " shut" : ""}`, "data-key": `pile:${zone}` },
    h("div", { class: `stack${fanned ? " fanned" : ""}`, "data-key": `stack:${zone}`, "data-zone": zone, "data-anchor": zone, role: "group", "aria-label": label }, cards, takes(state, picked, zone) ? target(state, picked, zone, name) : null),
    h("span", { class: "name" }, name, " ", h("b", {}, facts.count ?? here.count)), bad,
  );
}

function pose(state) {
  const last = state.view.last;
  const { pose: shown, heap, out } = state.centre;
  const title = last ? `${last.count} × ${last.value} · ${who(state, last.seat)}` : t("zone.middle");
  return [
    h("div", { class: "pile", "data-key": "pose" },
      h("div", { class: "row", "data-anchor": "pose", role: "group", "aria-label": `${t("zone.last-pose")}: ${title}: ${shown.map(cardName).join("; ")}` },
        shown.map((name, i) => card(name, { key: name === null ? `p:${i}` : `c:${name}`, source: last ? `hand${last.seat}` : null }))),
      h("span", { class: "name" }, h("b", {}, title), ` · ${t("zone.heap", { n: heap })}`)),
    out.length ? h("div", { class: "pile outs", "data-key": "outs", role: "group", "aria-label": `${t("zone.out")}: ${out.map(cardName).join("; ")}` },
      out.map((name) => card(name, { key: `c:${name}`, quiet: true })), h("span", { class: "name" }, t("zone.out"))) : null,
  ];
}

function piles(state, picked) {
  if (state.game === "tifo") return [drawPile(state, picked), pile(state, "discard", picked, { count: state.view.discard })];
  if (state.game === "tipouik") return pose(state);
  return state.view.centres.map((facts) => pile(state, `centre${facts.pile}`, picked, { count: facts.count, closed: facts.closed }));
}

export function middle(state, picked, lamps, log) {
  return [
    h("div", { class: "left", "data-key": "left" }, screen(state, "all", t("page.screen-all"), true, lamps.all)),
    h("div", { class: "piles", "data-key": "piles", "data-anchor": "middle" }, piles(state, picked)),
    h("ol", { class: "log", "data-key": "log", id: "log", tabindex: "0", "aria-label": t("page.verdicts") },
      log.map((line) => h("li", { class: line.out, "data-key": `log:${line.n}`, "data-rule": line.rule }, line.text))),
  ];
}

export function hand(state, picked) {
  if (state.me === null) return [];
  const held = state.hands[state.me].cards ?? [];
  const fromTable = picked && picked.from !== "hand" && picked.card !== "spare" && state.game !== "tfu";
  return [
    ...held.map((name) => card(name, { key: `c:${name}`, from: "hand", move: true, picked: picked?.card === name, source: state.game === "tifo" ? "draw" : "middle" })),
    fromTable ? target(state, picked, "hand", t("page.hand")) : null,
  ];
}

// What the header says: whose turn it is, and what he may do.
export function turnLine(state) {
  const { turn, settle, window: last } = state.view;
  const acting = settle?.seat ?? turn;
  if (state.game === "tfu") {
    const owes = state.me !== null && state.view.seats[state.me - 1].owes;
    return { go: owes, head: owes ? t("page.turn-mine") : t("page.race"), text: owes ? t("zone.spare") : "" };
  }
  const words = settle ? [may("tipouik", settle.stage)] : state.view.may.map((id) => may(state.game, id));
  const due = state.game === "tifo" && state.me !== null && state.view.due[0] === state.me;
  if (last || acting === null || acting === undefined) return { go: false, head: "", text: "" };
  if (acting === state.me || due) return { go: true, head: t("page.turn-mine"), text: words.join(" · ") };
  return { go: false, head: t("page.turn-of", { who: seatName(acting) }), text: words.join(" · ") };
}

// A button that a builder's table has not got works here all the same, and looks like it.
export const absent = (state, name) => (state.absent?.includes(name) ? " absent" : "");

// My keys: role, words, whether it means something now.
export function keys(state) {
  if (state.me === null || state.kind !== "virtual") return [];
  const { view } = state;
  const mineNow = view.turn === state.me;
  const wrong = view.corrections.some((c) => c.seat === state.me && state.zones[c.zone]?.kind !== "spread");
  const made = [];
  const add = (role, words, hot) => {
    const name = `seat${state.me}.${role}`;
    made.push(h("button", { type: "button", class: `key ${role}${hot ? " hot" : ""}${absent(state, name)}`, title: absent(state, name) ? t("page.no-button") : null, "data-key": `key:${role}`, "data-push": name }, words));
  };
  if (state.game === "tifo") {
    const ids = mineNow ? view.may : [];
    add("call", t("do.call-tifo"), false);
    add("ok", ids.includes("let-go") ? t("do.let-go") : ids.includes("concede") ? t("do.concede") : t("do.ok"), ids.includes("let-go") || wrong);
    add("next", ids.includes("swap") ? t("do.swap") : t("do.next"), ids.includes("swap"));
  } else if (state.game === "tipouik") {
    const laid = state.zones[`seat${state.me}`].count;
    const last = view.last;
    const settling = view.settle?.seat === state.me && view.settle.stage !== "give";
    const declines = view.window && view.window.seat !== state.me && !view.window.declined.includes(state.me);
    const ok = settling ? t("do.take") : declines ? t("do.decline") : mineNow && !laid ? t("do.pass") : mineNow && view.may.includes("same") ? t("do.same-tipouik", { value: last?.value ?? "" }) : t("do.ok");
    add("call", t("do.call-tipouik"), Boolean(last && last.seat !== state.me && !last.challenged && !last.opening && !view.settle && !view.over));
    add("ok", ok, Boolean(settling || declines || wrong || (view.phase === "count" && !view.seats[state.me - 1].counted && laid >= view.seats[state.me - 1].hand) || (mineNow && (!laid || view.may.includes("same")))));
    add("next", view.next_value ? t("do.next-tipouik", { value: view.next_value }) : t("do.next"), Boolean(mineNow && laid));
    if (view.phase === "count" && state.hands[state.me].n) made.push(h("button", { type: "button", class: "key hot", "data-key": "key:show", "data-do": "show" }, t("do.show")));
  } else {
    add("call", t("do.call-tfu"), view.phase === "layout");
    add("ok", t("do.ok-tfu"), false);
  }
  return made;
}
