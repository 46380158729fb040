// The faces of all cards, drawn from their names: `capo#1`, `5#2`, `zero#1`, `10h`.

import { drawing, h } from "./dom.js";
import { kindName, lang, rankName, t } from "./words.js";

const FAMILY = {
  capo: "tifo", echarpe: "tifo", voile: "tifo", mats: "tifo", fumis: "tifo", interdit: "interdit", greve: "blocking", controle: "blocking",
  baston: "blocking", "fumis-interdits": "semi", locaux: "semi", avocat: "parade", mediation: "parade", identite: "parade", crs: "parade",
  mastre: "mastre", ola: "ola",
};

const PICTURES = {
  capo: '<path d="M3 10v4h3l9 5V5L6 10zM15 8c3 0 5 1.6 5 4s-2 4-5 4"/><path d="M7 14.5 8.5 20H11"/>',
  echarpe: '<path d="M4 5c5 3.5 11 3.5 16 0v4c-5 3.5-11 3.5-16 0zM6 10.5V20m3-8.3V20m-3 0h3M15 11.700V17m3-6.500V17m-3 0h3"/>',
  voile: '<path d="M3 5h18v12c-3 2-6 2-9 0s-6-2-9 0z"/><circle class="f" cx="12" cy="10.500" r="3"/><path d="M3 17v4m18-4v4"/>',
  mats: '<path d="M7 21V3m10 18V3M7 4h-4v6h4M17 4h4v6h-4"/><circle class="f" cx="7" cy="3" r="1.200"/><circle class="f" cx="17" cy="3" r="1.200"/>',
  fumis: '<path d="M10 12h4v9h-4z"/><path d="M12 12c0-2-4-2-3-5 .6-1.800 2-1.600 2.500-3.500C14 5 13.500 6.500 15 7.500c2 1.400.500 4-3 4.500z"/><path d="M18 9c1.500-1 1.500-3 0-4M6 9C4.500 8 4.500 6 6 5"/>',
  interdit: '<circle cx="12" cy="12" r="9"/><path class="f" d="M6 10h12v4H6z"/>',
  greve: '<path d="M4 3h16v9H4zM12 12v9"/><path d="M8 6v3.500m4-3.500v2m4-2v3.500" stroke-width="2.600"/>',
  controle: '<circle cx="10" cy="10" r="6"/><path d="m14.500 14.500 6 6"/><circle class="f" cx="10" cy="8.500" r="1.700"/><path d="M7 13c.700-1.800 5.300-1.800 6 0"/>',
  baston: '<path d="m12 2 2.200 5 5-2-2 5 5 2-5 2 2 5-5-2L12 22l-2.200-5-5 2 2-5-5-2 5-2-2-5 5 2z"/><circle class="f" cx="12" cy="12" r="2.200"/>',
  "fumis-interdits": '<path d="M10.500 13h3v7h-3z"/><path d="M12 13c0-2-3-2-2.200-4.500.5-1.300 1.500-1.200 1.800-2.500 1.900 1 1.500 2 2.600 3 1.500 1.200.300 3.500-2.200 4z"/><circle cx="12" cy="12" r="9.500"/><path d="m5.500 5.500 13 13" stroke-width="2.400"/>',
  locaux: '<path d="M5 11h14v10H5zM8 11V7.500a4 4 0 0 1 8 0V11"/><circle class="f" cx="12" cy="15" r="1.600"/><path d="M12 16v2"/>',
  avocat: '<path d="M12 3v18m-4 0h8M5 6h14M5 6l-3 7h6zm14 0-3 7h6z"/><path d="M2 13c.500 2.500 5.500 2.500 6 0m8 0c.500 2.500 5.500 2.500 6 0"/>',
  mediation: '<path d="M3 4h11v8H8l-3 3v-3H3z"/><path d="M17 9h4v8h-2v3l-3-3h-6v-2"/>',
  identite: '<path d="M2.500 5h19v14h-19z"/><circle class="f" cx="8" cy="10.500" r="2.200"/><path d="M5 16c.600-2.600 5.400-2.600 6 0M14 10h5m-5 4h5"/>',
  crs: '<path d="M12 2.500 20 5v7c0 5-3.500 8-8 9.500C7.500 20 4 17 4 12V5z"/><path d="M8.500 11.500 11 14l4.500-4.500" stroke-width="2.400"/>',
  mastre: '<path d="m12 2.500 2.900 6.200 6.600.8-4.900 4.600 1.300 6.700L12 17.500l-5.900 3.300 1.300-6.700L2.500 9.500l6.600-.8z"/><circle class="f" cx="12" cy="12" r="2"/>',
  ola: '<path d="M1.500 9c2.600-4 4.400-4 7 0s4.400 4 7 0 4.400-4 7 0M1.500 16c2.600-4 4.400-4 7 0s4.400 4 7 0 4.400-4 7 0"/>',
};

const SUITS = {
  h: '<path d="M12 21C5 15.500 2 12 2 8.200 2 5.300 4.200 3 7 3c2 0 3.900 1.100 5 3 1.100-1.900 3-3 5-3 2.800 0 5 2.300 5 5.200 0 3.800-3 7.300-10 12.800z"/>',
  d: '<path d="m12 1.500 8 10.500-8 10.500L4 12z"/>',
  s: '<path d="M12 2c4 5 9 8 9 12.200 0 2.700-2 4.600-4.400 4.600-1.400 0-2.700-.6-3.500-1.700.2 2 .8 3.500 2.100 4.900H8.800c1.300-1.400 1.900-2.900 2.100-4.900-.8 1.100-2.100 1.700-3.500 1.700C5 18.800 3 16.900 3 14.200 3 10 8 7 12 2z"/>',
  c: '<path d="M12 2a4.600 4.600 0 0 1 3.600 7.500A4.700 4.700 0 1 1 13.200 17c.2 2.100.8 3.500 2 5H8.800c1.200-1.500 1.800-2.900 2-5a4.700 4.700 0 1 1-2.400-7.500A4.600 4.600 0 0 1 12 2z"/>',
};

const svg = (inside) => drawing(`<svg viewBox="0 0 24 24" aria-hidden="true">${inside}</svg>`);
const kindOf = (card) => card.split("#")[0];
const isTfu = (card) => !card.includes("#");

// What a screen reader says of a card; null is a card face down.
export function cardName(card) {
  if (card === null) return t("zone.back");
  if (card === "spare") return t("zone.spare");
  if (isTfu(card)) return `${rankName(card.slice(0, -1))} ${t(`suit.${card.slice(-1)}`)}`;
  const kind = kindOf(card);
  if (FAMILY[kind]) return `${kindName(kind)}, ${t(`family.${FAMILY[kind]}`)}`;
  if (kind.startsWith("plus")) return `${kindName(kind)}, ${t("family.red")}`;
  return /^\d+$/.test(kind) ? kind : `${kindName(kind)}, ${t("family.special")}`;
}

function inside(card) {
  if (card === null) return ["back", []];
  if (isTfu(card)) {
    const rank = rankName(card.slice(0, -1));
    const suit = card.slice(-1);
    const corner = () => h("span", { class: "c" }, rank, svg(SUITS[suit]));
    return [`suit ${suit}`, [corner(), corner(), h("span", { class: "big" }, svg(SUITS[suit]))]];
  }
  const kind = kindOf(card);
  const family = FAMILY[kind];
  if (family) {
    const name = kindName(kind);
    const long = Math.max(...name.split(/[\s-]/).map((word) => word.length)) > 8 || name.length > 15;
    const parts = [h("span", { class: "band" }, name), h("span", { class: "pic" }, svg(PICTURES[kind])), h("span", { class: "kind" }, t(`short.${family}`))];
    return [`${family}${long ? " long" : ""}`, parts];
  }
  const sign = kindName(kind);
  const look = /^\d+$/.test(kind) ? `v${kind}` : kind.startsWith("plus") ? "red" : kind;
  const corner = () => h("span", { class: "c" }, sign);
  return [`num ${look}`, [corner(), corner(), h("span", { class: "ring" }), h("span", { class: "n" }, sign)]];
}

// A card. `as` says what can be done with it: {key, from, move, picked, bad, label}.
export function card(name, as = {}) {
  const [look, parts] = inside(name);
  const label = as.label ?? cardName(name);
  const common = {
    class: `card ${look}${as.bad ? " bad" : ""}${as.deck ? " deck" : ""}`, "data-key": as.key, "data-v": `${name}|${lang}`, title: name === null ? null : cardName(name),
    "data-source": as.source,
  };
  if (!as.move) return h("div", { ...common, role: as.quiet ? null : "img", "aria-label": as.quiet ? null : label, "aria-hidden": as.quiet }, parts);
  return h("button", { ...common, type: "button", "data-card": name ?? as.card, "data-from": as.from, "aria-pressed": String(Boolean(as.picked)), "aria-label": label }, parts);
}
