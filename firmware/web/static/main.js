// The page: takes what the server says, draws it, and says what hands do here.

import { h, patch } from "./dom.js";
import * as device from "./device.js";
import { after, before } from "./fly.js";
import { dialogs, openHelp, openInvite, openNew, openTempo } from "./dialogs.js";
import { hint } from "./hint.js";
import { drawPanel, panelClicked, panelOpen, setPanel, togglePanel } from "./panel.js";
import * as pick from "./pick.js";
import { drops } from "./record.js";
import { hand, keys, middle, mine, roundOf, seatsAbove, turnLine } from "./table.js";
import { again, connect, place, say, send, welcomed } from "./wire.js";
import { lang, languages, load, t } from "./words.js";

const $ = (id) => document.getElementById(id);
const world = { state: null, me: null, log: [], lamps: {}, told: 0, ended: "" };

function take(message) {
  switch (message.is) {
    case "you":
      world.me = message;
      welcomed();
      break;
    case "state":
      world.state = message;
      keepPick();
      return true;
    case "log":
      hear(message.lines);
      return true;
    case "screen":
      device.keepFrame(message.name, message.px);
      break;
    case "lamps":
      world.lamps = message.lamps;
      return true;
    case "sound":
      device.play(message.n, message.notes);
      break;
    case "panel":
      setPanel(message);
      drawPanel(world);
      break;
    case "no":
      say(t(`no.${message.why}`));
      break;
  }
  return false;
}

// Verdicts: to the list, and to those who cannot see it.
function hear(lines) {
  const last = lines.at(-1)?.n ?? 0;
  const fresh = last < world.told ? lines : lines.filter((line) => line.n > world.told);
  if (world.told) {
    for (const line of fresh) {
      if (line.out === "refused") $("assertive").textContent = line.text;
      else $("polite").textContent = line.text;
    }
  }
  world.told = last;
  world.log = lines;
  world.ended = [...lines].reverse().find((line) => line.out === "match" || line.out === "over")?.text ?? "";
}

function keepPick() {
  const { state } = world;
  pick.forget(({ card, from }) => {
    if (from === "draw") return state.view.pile > 0;
    if (from === "spare") return state.hands[state.me]?.spare > 0;
    if (from === "hand") return state.hands[state.me]?.cards?.includes(card);
    return state.zones[from]?.cards.some((entry) => entry.c === card && entry.take);
  });
}

function draw(old = world.state) {
  const { state, lamps } = world;
  if (!state) return;
  const places = before();
  const picked = pick.picked();
  patch($("others"), seatsAbove(state, picked, lamps));
  $("others").dataset.n = $("others").childElementCount;
  $("felt").classList.toggle("many", $("others").childElementCount > 6);
  patch($("middle"), middle(state, picked, lamps, world.log));
  patch($("mine"), mine(state, picked, lamps));
  $("mine").classList.toggle("on", turnLine(state).go);
  patch($("foot"), foot(state, picked));
  const { go, head, text } = state.kind === "virtual" && state.finished ? { head: t("page.finished"), text: "" } : turnLine(state);
  patch($("turn"), [h("b", {}, head), ` ${[roundOf(state), text].filter(Boolean).join(" · ")}`]);
  $("turn").classList.toggle("go", Boolean(go));
  document.body.dataset.game = state.game;
  patch($("tools"), tools());
  drawPanel(world);
  device.paintAll();
  after(places, drawn(old, state));
  if ($("log")?.dataset.last !== String(world.told)) toTheLast();
}

function toTheLast() {
  const log = $("log");
  if (!log) return;
  log.dataset.last = String(world.told);
  log.scrollTop = log.scrollHeight;
}

// Cards that others drew since the last state.
function drawn(old, now) {
  if (!old || old === now || old.game !== now.game || now.game !== "tifo" || now.view.pile >= old.view.pile) return [];
  return Object.keys(now.hands).filter((n) => Number(n) !== now.me && now.hands[n].n > (old.hands[n]?.n ?? 99)).map((n) => ({ from: "draw", to: `hand${n}` }));
}

function foot(state, picked) {
  const rows = [];
  const host = world.me?.role === "host";
  if (state.me !== null) {
    const bare = state.game === "tfu" && !state.hands[state.me].n;
    rows.push(h("div", { class: `hand${bare ? " bare" : ""}`, "data-key": "hand", "data-anchor": `hand${state.game === "tfu" ? "" : state.me}`, role: "group", "aria-label": t("page.hand") }, hand(state, picked)));
  }
  if (state.kind === "virtual" || state.stopped) rows.push(line(state));
  let pushes = keys(state);
  const own = pushes.length > 0;
  const done = host && state.kind === "virtual" && (state.stopped || state.broken || state.finished);
  if (done) {
    pushes = [h("button", { type: "button", class: "key hot", "data-key": "key:again", "data-do": "again" }, t("page.again"))];
  } else if (state.kind === "virtual" && host) {
    const step = state.pace === "step";
    if (step) pushes.push(h("button", { type: "button", class: "key hot", "data-key": "key:step", "data-do": "step" }, t("do.step")));
    if (state.me === null) pushes.push(h("button", { type: "button", class: "key", "data-key": "key:pause", "data-do": "pause" }, t(state.speed ? "do.pause" : "do.resume")));
  }
  if (state.kind === "record") pushes.push(...steps(state, host));
  if (state.kind === "live") pushes.push(h("span", { "data-key": "live" }, t("page.live")));
  else if (state.me === null && !host) pushes.push(h("span", { "data-key": "watching" }, t("page.watching")));
  rows.push(h("div", { class: `keys${own && !done ? ` own${state.game === "tfu" ? " two" : ""}` : ""}`, "data-key": "keys" }, pushes));
  return rows;
}

// What went wrong, how it ended, or what I can do now. It keeps its place when it is empty, so that nothing moves.
function line(state) {
  const over = state.finished || (state.view.over && state.view.phase !== "count");
  const told = state.stopped ? t("page.stopped") : state.broken ? t("page.bots-lost") : over ? world.ended : "";
  if (told) return h("p", { class: "hint banner", "data-key": "banner", role: "status" }, told);
  return h("p", { class: "hint", "data-key": "hint", id: "hint" }, hint(state));
}

function steps(state, host) {
  const told = h("span", { "data-key": "at", id: "at" }, t("page.record", { at: state.at, of: state.of }));
  if (!host) return [told];
  const make = (n, word) => h("button", { type: "button", class: "key", "data-key": `step:${word}`, "data-step": n }, t(`do.${word}`));
  return [make(-1_000_000, "begin"), make(-1, "prev"), told, make(1, "on"), make(1_000_000, "end")];
}

const ICONS = {
  new: '<path d="M12 5v14M5 12h14"/>', sound: '<path d="M4 10v4h3l5 4V6L7 10zM16 9c1.500 1.500 1.500 4.500 0 6m2.500-8.500c3 3 3 8 0 11"/>', mute: '<path d="M4 10v4h3l5 4V6L7 10zM16 10l5 5m0-5-5 5"/>',
  panel: '<path d="M4 7h10m4 0h2M4 17h3m4 0h9"/><circle cx="16" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>', tempo: '<path d="M4 15a8 8 0 1 1 16 0M12 15l4-5"/><path d="M4 19h16"/>', help: '<path d="M9 9a3 3 0 1 1 4 2.800c-.700.300-1 .9-1 1.700V14m0 3.500v.1"/>', invite: '<path d="M12 5v10m-4-6 4-4 4 4M5 14v5h14v-5"/>',
};
const icon = (name) => {
  const span = document.createElement("span");
  span.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${ICONS[name]}</svg>`;
  return span;
};

function tools() {
  const host = world.me?.role === "host";
  const button = (what, words, more = {}) => h("button", { type: "button", "data-key": `tool:${what}`, "data-v": `${what}${words}`, "data-do": what, "aria-label": words, title: words, ...more }, icon(more.icon ?? what), what === "new" ? h("span", { class: "word" }, ` ${words}`) : null);
  return [
    host ? button("new", t("page.new")) : null,
    host && world.state?.kind === "virtual" ? button("tempo", t("new.tempo")) : null,
    host && world.state?.kind === "virtual" ? button("invite", t("new.invite")) : null,
    button("sound", t(device.loud ? "page.sound-on" : "page.sound-off"), { icon: device.loud ? "sound" : "mute", "aria-pressed": String(device.loud) }),
    button("panel", t("page.panel"), { "aria-expanded": String(panelOpen()) }),
    button("help", t("page.help")),
    h("select", { "data-key": "tool:lang", "data-v": lang, id: "lang", "aria-label": t("page.language") }, languages().map(([code]) => h("option", { value: code, selected: code === lang }, code.toUpperCase()))),
  ];
}

// -- what is done here -----------------------------------------------------------------------------------------

function drop({ card, from }, to) {
  if (from === "draw") {
    if (to === "hand") send({ do: "draw" });
  } else if (to === "hand") send({ do: "take", card });
  else if (to.startsWith("give:")) send({ do: "give", card, to: Number(to.slice(5)) });
  else send({ do: "put", card, zone: to });
}

// One tap is enough where there is but one thing to do.
function quick({ card, from }) {
  if (from === "draw") send({ do: "draw" });
  else if (card === "spare") send({ do: "put", card: "spare", zone: `centre${world.state.me}` });
  else return false;
  return true;
}

document.addEventListener("click", (event) => {
  const on = (name) => event.target.closest(`[data-${name}]`)?.dataset[name];
  if (on("push")) send({ do: "push", button: on("push") });
  if (on("take")) send({ do: "take", card: on("take") });
  if (on("step")) send({ do: "step", n: Number(on("step")) });
  const what = on("do");
  if (what) doing[what]?.();
  panelClicked(event, world);
});

const doing = {
  new: () => openNew(world.state, world.me),
  tempo: () => openTempo(world.state),
  invite: () => openInvite(world.state, world.me),
  help: () => openHelp(world.state),
  sound: () => { device.setLoud(!device.loud); draw(); },
  panel: () => { togglePanel(world); draw(); },
  show: () => send({ do: "show" }),
  step: () => send({ do: "step", n: 1 }),
  pause: () => send({ do: "run", speed: world.state.speed ? 0 : 1, pace: world.state.pace }),
  again: () => {
    const { game, seats, mode, play, options, lang: tongue } = world.state;
    send({ do: "new", game, seats, mode, lang: tongue ?? lang, seed: null, play: play ?? true, options });
  },
};

document.addEventListener("change", async (event) => {
  if (event.target.id !== "lang") return;
  await load(event.target.value);
  place.set("lang", lang);
  history.replaceState(null, "", `#${place}`);
  world.told = 0;
  again();
  draw();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
  const { state } = world;
  if (!state || state.me === null || state.kind !== "virtual") return;
  const role = { o: "ok", n: "next", c: "call" }[event.key.toLowerCase()];
  if (role) send({ do: "push", button: `seat${state.me}.${role}` });
  if (["d", "p"].includes(event.key.toLowerCase()) && state.game === "tifo") send({ do: "draw" });
});

pick.start({
  drop, quick,
  changed: (byKey) => {
    draw();
    const what = pick.picked();
    if (what) $("polite").textContent = t("page.selected", { card: "" }).trim();
    if (what && byKey) (document.querySelector("#mine [data-drop]") ?? document.querySelector("[data-drop]"))?.focus();
  },
});

await load(place.get("lang") ?? lang) || await load(lang);
dialogs({ send });
drops(() => world.me?.role === "host");
addEventListener("resize", toTheLast);
addEventListener("hashchange", () => location.reload());
connect({
  heard: (messages) => {  // the list is ours from one moment: drawn once, after the last of it
    const old = world.state;
    let fresh = false;
    for (const message of messages) fresh = take(message) || fresh;
    if (fresh) draw(old);
    if (world.state) document.body.dataset.ready = "yes";
  },
  known: () => world.state !== null,
});
