// The workbench at the side, closed at first: readers, latency, record, faults.

import { h, patch } from "./dom.js";
import { choose, download } from "./record.js";
import { absent } from "./table.js";
import { send } from "./wire.js";
import { seatName, t } from "./words.js";

let open = false;
let everything = false;
let told = null;

export const panelOpen = () => open;
export const setPanel = (message) => { told = message; };
const box = () => document.getElementById("panel");

export function togglePanel(world) {
  open = !open;
  send({ do: "panel", open, all: open && everything });
  drawPanel(world);
  if (open) box().querySelector("button")?.focus();
}

const isBroken = (state, what, name) => state.faults.some((f) => f.what === what && f.name === name);

function fault(state, what, name, level, words) {
  const on = isBroken(state, what, name);
  return h("button", { type: "button", "data-key": `fault:${what}:${name}`, "data-fault": what, "data-name": name, "data-level": on ? 0 : level, "aria-pressed": String(on) }, words);
}

const arbiters = (state, role) => h("button", { type: "button", class: absent(state, `table.${role}`) || null, title: absent(state, `table.${role}`) ? t("page.no-button") : null, "data-push": `table.${role}` }, t(`do.${role}`));

function readers(state, host) {
  const wide = everything;
  return h("div", { class: "scroll", "data-key": "readers" }, h(
    "table", {},
    h("thead", {}, h("tr", {}, ["reader", "state", "tags", "sighted", ...(wide ? ["look", "uid"] : []), ...(host ? ["dead"] : [])].map((id) => h("th", { scope: "col" }, id === "dead" ? h("span", { class: "unseen" }, t("panel.faults")) : t(`panel.${id}`))))),
    h("tbody", {}, told.readers.map((row) => h(
      "tr", { "data-key": `reader:${row.reader}`, "data-reader": row.reader },
      h("td", {}, row.reader), h("td", { class: row.state }, t(`panel.${row.state}`)), h("td", {}, row.tags), h("td", {}, row.sighted_s === null ? "–" : `${row.sighted_s.toFixed(1)} s`),
      wide ? [h("td", {}, row.look_ms), h("td", {}, row.uid)] : null,
      host ? h("td", {}, h("button", { type: "button", "data-fault": "dead-reader", "data-name": row.reader, "data-level": isBroken(state, "dead-reader", row.reader) ? 0 : 1, "aria-pressed": String(isBroken(state, "dead-reader", row.reader)), "aria-label": t("panel.dead-reader", { name: row.reader }) }, "✕")) : null,
    ))),
  ));
}

export function drawPanel(world) {
  box().hidden = !open;
  document.body.classList.toggle("bench", open);
  const { state, me } = world;
  if (!open || !state) return;
  box().setAttribute("aria-label", t("panel.title"));
  const host = me?.role === "host";
  const rows = [h("h2", { "data-key": "title" }, t("panel.title"), h("button", { type: "button", "data-do": "panel" }, t("page.close")))];
  if (told) {
    if (told.latency_ms !== null) rows.push(h("p", { "data-key": "latency", id: "latency" }, t("panel.latency", { ms: told.latency_ms })));
    if (host && state.kind === "virtual") {
      rows.push(h("h3", { "data-key": "h:faults" }, t("panel.faults")));
      rows.push(h("div", { class: "line", "data-key": "faults" }, fault(state, "drop", "", 0.2, t("panel.drop")), fault(state, "noise", "", 0.05, t("panel.noise")),
        state.screens.map((name) => fault(state, "dead-screen", name, 1, t("panel.dead-screen", { name: name === "all" ? t("page.table") : seatName(name.slice(4)) })))));
      rows.push(h("h3", { "data-key": "h:arbiter" }, t("panel.arbiter")));
      rows.push(h("div", { class: "line", "data-key": "arbiter" }, ["accept", "undo"].map((role) => arbiters(state, role)),
        state.game === "tifo" ? arbiters(state, "pile") : null));
    }
    rows.push(h("h3", { "data-key": "h:record" }, t("panel.record", { n: told.lines })));
    rows.push(h("div", { class: "line", "data-key": "record" }, h("button", { type: "button", "data-load": "" }, t("panel.download")), host ? h("button", { type: "button", "data-load": "all" }, t("panel.download-all")) : null,
      host ? h("button", { type: "button", "data-open": "yes" }, t("panel.open")) : null));
    rows.push(h("pre", { "data-key": "tail", id: "tail", tabindex: "0" }, told.tail.join("\n")));
    if (told.readers.length) rows.push(h("h3", { "data-key": "h:readers" }, t("panel.readers")), readers(state, host));
    if (host) rows.push(h("label", { class: "line", "data-key": "all" }, h("input", { type: "checkbox", id: "everything", checked: everything }), t("panel.all")));
  }
  patch(box(), rows);
}

export function panelClicked(event, world) {
  const at = (name) => event.target.closest(`[data-${name}]`);
  const broken = at("fault");
  if (broken) send({ do: "fault", what: broken.dataset.fault, name: broken.dataset.name, level: Number(broken.dataset.level) });
  const wanted = at("load");
  if (wanted) download(wanted.dataset.load === "all");
  if (at("open")) choose();
  if (event.target.id === "everything") {
    everything = event.target.checked;
    send({ do: "panel", open: true, all: everything });
    drawPanel(world);
  }
}
