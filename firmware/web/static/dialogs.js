// A new game, links for others, help.

import { h } from "./dom.js";
import { lang, seatName, t } from "./words.js";

const RANGE = { tifo: [2, 6, 4], tipouik: [3, 10, 4], tfu: [2, 4, 2] };
const NAMES = { tifo: "TIFO", tipouik: "Tipouik", tfu: "Тьфу!" };
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

const closer = (words) => {
  const button = h("button", { type: "button" }, words);
  button.addEventListener("click", () => box().close());
  return button;
};

export function openNew(state, me) {
  const game = state?.game ?? "tifo";
  const option = (value, words, chosen) => h("option", { value, selected: value === chosen }, words);
  const count = h("select", { name: "seats" });
  const fill = (name, chosen) => {
    const [low, high, usual] = RANGE[name];
    count.replaceChildren(...Array.from({ length: high - low + 1 }, (_, i) => option(low + i, low + i, chosen ?? usual)));
  };
  fill(game, state?.game === game ? state.seats : null);
  const games = h("fieldset", { class: "games", "aria-label": t("new.game") }, Object.entries(NAMES).map(([id, name]) =>
    h("label", {}, h("input", { type: "radio", name: "game", value: id, checked: id === game }), name)));
  games.addEventListener("change", (event) => fill(event.target.value));
  const form = h(
    "form", { method: "dialog" }, games,
    h("label", {}, t("new.seats"), count),
    h("label", {}, t("new.pace"), h("select", { name: "pace" }, ["step", "calm", "brisk", "quick"].map((id) => option(id, t(`new.${id}`), state?.pace ?? "calm")))),
    h("label", {}, t("new.speed"), h("select", { name: "speed" }, [0.25, 0.5, 1, 2, 4, 8].map((x) => option(x, `× ${x}`, state?.speed || 1)))),
    h("label", {}, t("new.mode"), h("select", { name: "mode" }, ["play", "referee"].map((id) => option(id, t(`new.${id}`), state?.mode ?? "play")))),
    h("label", {}, t("page.language"), h("select", { name: "lang" }, [["fr", "Français"], ["ru", "Русский"], ["en", "English"]].map(([id, name]) => option(id, name, lang)))),
    h("label", {}, t("new.seed"), h("input", { name: "seed", inputmode: "numeric", pattern: "[0-9]{0,9}", autocomplete: "off" })),
    h("label", { class: "check" }, h("input", { type: "checkbox", name: "play", checked: state?.play ?? true }), t("new.me")),
    h("div", { class: "ends" }, closer(t("new.cancel")), h("button", { class: "go", type: "submit" }, t("new.start"))),
  );
  form.addEventListener("submit", () => begin(new FormData(form), me));
  show(t("page.new"), form);
}

function begin(given, me) {
  const play = given.get("play") !== null;
  const seed = given.get("seed").trim();
  hooks.send({ do: "run", speed: Number(given.get("speed")), pace: given.get("pace") });
  hooks.send({ do: "new", game: given.get("game"), seats: Number(given.get("seats")), mode: given.get("mode"), lang: given.get("lang"), seed: seed ? Number(seed) : null, play });
  const place = new URLSearchParams(location.hash.slice(1));
  const seat = play ? me.seat ?? 1 : null;
  if (seat !== me.seat || given.get("lang") !== lang) {
    if (seat) place.set("seat", seat);
    else place.delete("seat");
    place.set("lang", given.get("lang"));
    setTimeout(() => { location.hash = place.toString(); }, 150);
  }
}

export function openInvite(me) {
  const links = Object.entries(me.links ?? {}).slice(0, 10).map(([n, part]) => h("div", {}, h("b", {}, seatName(n)), " ", h("code", {}, `${location.origin}${part}&lang=${lang}`)));
  show(t("new.invite"), h("div", { class: "body" }, h("p", {}, t("new.invite-text")), h("div", { class: "links" }, links, h("div", {}, h("code", {}, `${location.origin}/`))), h("div", { class: "ends" }, closer(t("page.close")))));
}

export function openHelp(state) {
  const parts = ["drag", "wrong", state?.game ?? "tifo", "keys"].map((id) => h("p", {}, t(`help.${id}`)));
  show(t("help.title"), h("div", { class: "body" }, parts, h("div", { class: "ends" }, closer(t("page.close")))));
}
