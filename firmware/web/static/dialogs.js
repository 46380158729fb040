// A new game, how fast it goes, links for others, help.

import { h } from "./dom.js";
import { choose } from "./record.js";
import { lang, languages, seatName, t } from "./words.js";

const RANGE = { tifo: [2, 6, 4], tipouik: [3, 10, 4], tfu: [2, 4, 2] };
const NAMES = { tifo: "TIFO", tipouik: "Tipouik", tfu: "Тьфу!" };
const SWITCHES = { tifo: ["draw_two", "hidden_discard"], tipouik: ["titles"], tfu: ["refill"] };
const NUMBERS = { tipouik: [["rounds", [1, 2, 3, 4, 5, 6, 8, 10], 1], ["final_window_s", [0, 3, 5, 8, 12, 20], 5]] };
const PACES = ["step", "calm", "brisk", "quick"];
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
let hooks = {};
const box = () => document.getElementById("dialog");

export function dialogs(given) {
  hooks = given;
}

function show(title, ...body) {
  box().replaceChildren(h("h2", { id: "dialog-title" }, title), ...body);
  box().setAttribute("aria-labelledby", "dialog-title");
  if (!box().open) box().showModal();
}

const closer = (words, more = {}) => {
  const button = h("button", { type: "button", ...more }, words);
  button.addEventListener("click", () => box().close());
  return button;
};

const option = (value, words, chosen) => h("option", { value, selected: String(value) === String(chosen) }, words);
const choice = (name, words, values, chosen, told = (value) => value) => {
  const all = values.includes(chosen) ? values : [...values, chosen].sort((a, b) => a - b);
  return h("label", {}, words, h("select", { name }, all.map((value) => option(value, told(value), chosen))));
};
const pace = (state) => choice("pace", t("new.pace"), PACES, state?.pace ?? "calm", (id) => t(`new.${id}`));
const speed = (values, now) => choice("speed", t("new.speed"), values, now, (x) => (x ? `× ${x}` : t("do.pause")));

// The house rules of a game; what it was played with last is chosen.
function rules(game, had) {
  const numbers = (NUMBERS[game] ?? []).map(([name, values, usual]) => choice(name, t(`option.${name}`), values, had[name] ?? usual));
  const switches = SWITCHES[game].map((name) => h("label", { class: "check" }, h("input", { type: "checkbox", name, checked: had[name] ?? false }), t(`option.${name}`)));
  return [...numbers, ...switches];
}

function chosenRules(given) {
  const made = {};
  for (const name of SWITCHES[given.get("game")]) if (given.get(name) !== null) made[name] = true;
  for (const [name, , usual] of NUMBERS[given.get("game")] ?? []) if (Number(given.get(name)) !== usual) made[name] = Number(given.get(name));
  return made;
}

export function openNew(state, me) {
  const game = state?.game ?? "tifo";
  const count = h("select", { name: "seats" });
  const house = h("fieldset", { class: "rules", "aria-label": t("new.rules") });
  const fill = (name, chosen, had) => {
    const [low, high, usual] = RANGE[name];
    count.replaceChildren(...Array.from({ length: high - low + 1 }, (_, i) => option(low + i, low + i, chosen ?? usual)));
    house.replaceChildren(...rules(name, had));
  };
  fill(game, state?.game === game ? state.seats : null, state?.options ?? {});
  const games = h("fieldset", { class: "games", "aria-label": t("new.game") }, Object.entries(NAMES).map(([id, name]) =>
    h("label", {}, h("input", { type: "radio", name: "game", value: id, checked: id === game }), name)));
  games.addEventListener("change", (event) => fill(event.target.value, null, {}));
  const open = closer(t("panel.open"), { "data-open": "yes" });
  open.addEventListener("click", choose);
  const form = h(
    "form", { method: "dialog" }, games,
    h("label", {}, t("new.seats"), count),
    pace(state), speed(SPEEDS, state?.speed || 1),
    choice("mode", t("new.mode"), ["play", "referee"], state?.mode ?? "play", (id) => t(`new.${id}`)),
    choice("lang", t("page.language"), languages().map(([code]) => code), lang, (id) => Object.fromEntries(languages())[id]),
    h("label", {}, t("new.seed"), h("input", { name: "seed", inputmode: "numeric", pattern: "[0-9]{0,9}", autocomplete: "off" })),
    house,
    h("label", { class: "check" }, h("input", { type: "checkbox", name: "play", checked: state?.play ?? true }), t("new.me")),
    h("div", { class: "ends" }, open, h("span", { class: "gap" }), closer(t("new.cancel")), h("button", { class: "go", type: "submit" }, t("new.start"))),
  );
  form.addEventListener("submit", () => begin(new FormData(form), me));
  show(t("page.new"), form);
}

function begin(given, me) {
  const play = given.get("play") !== null;
  const seed = given.get("seed").trim();
  hooks.send({ do: "run", speed: Number(given.get("speed")), pace: given.get("pace") });
  hooks.send({ do: "new", game: given.get("game"), seats: Number(given.get("seats")), mode: given.get("mode"), lang: given.get("lang"), seed: seed ? Number(seed) : null, play, options: chosenRules(given) });
  const place = new URLSearchParams(location.hash.slice(1));
  const seat = play ? me.seat ?? 1 : null;
  if (seat !== me.seat || given.get("lang") !== lang) {
    if (seat) place.set("seat", seat);
    else place.delete("seat");
    place.set("lang", given.get("lang"));
    setTimeout(() => { location.hash = place.toString(); }, 150);
  }
}

// How fast bots play and time runs, while the game goes on.
export function openTempo(state) {
  const form = h("form", { method: "dialog" }, pace(state), speed([0, ...SPEEDS], state.speed), h("div", { class: "ends" }, closer(t("page.close"))));
  form.addEventListener("change", () => {
    const given = new FormData(form);
    hooks.send({ do: "run", speed: Number(given.get("speed")), pace: given.get("pace") });
  });
  show(t("new.tempo"), form);
}

export function openInvite(state, me) {
  const base = me.house || location.origin;
  const row = (words, address) => h("div", {}, h("b", {}, words), " ", h("code", {}, address));
  const links = Object.entries(me.links ?? {}).slice(0, state.seats).map(([n, part]) => row(seatName(n), `${base}${part}&lang=${lang}`));
  show(t("new.invite"), h("div", { class: "body" }, h("p", {}, t("new.invite-text")), h("div", { class: "links" }, links, row(t("new.look-on"), `${base}/#lang=${lang}`)),
    me.house ? null : h("p", {}, t("new.invite-here")), h("div", { class: "ends" }, closer(t("page.close")))));
}

export function openHelp(state) {
  const parts = ["drag", "wrong", state?.game ?? "tifo", "keys"].map((id) => h("p", {}, t(`help.${id}`)));
  show(t("help.title"), h("div", { class: "body" }, parts, h("div", { class: "ends" }, closer(t("page.close")))));
}
