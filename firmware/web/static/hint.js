// One sentence for whoever never saw the game: what I can do now. A silent table (`referee`) keeps silent here too.

import { has, seatName, t } from "./words.js";

export function hint(state) {
  if (state.kind !== "virtual" || state.me === null || state.mode !== "play" || state.finished || state.broken) return "";
  const id = wrong(state) ? "wrong" : { tifo, tipouik, tfu }[state.game](state);
  const key = has(`hint.${state.game}-${id}`) ? `hint.${state.game}-${id}` : `hint.${id}`;
  return id && has(key) ? t(key, { who: seatName(actor(state) ?? 1), card: "1" }) : "";
}

const actor = (state) => state.view.settle?.seat ?? state.view.turn;
const wrong = (state) => state.view.corrections.some((c) => c.seat === state.me && state.zones[c.zone]?.cards.some((entry) => entry.bad && entry.take));

function tifo({ view, me }) {
  if (view.over) return "";
  if (view.due.includes(me) && view.due[0] === me) return "draw";
  if (view.turn !== me) return "wait";
  if (view.ola) return "ola";
  const may = (what) => view.may.includes(what);
  return may("draw") ? "draw" : may("concede") ? "interdit" : may("parry") && !may("lay") && !may("attack") ? "blocked" : "play";
}

function tipouik({ view, me, zones }) {
  const { settle, phase, last } = view;
  if (phase === "count") return view.seats[me - 1].counted ? "wait" : "count";
  if (view.over) return "";
  if (settle) return settle.seat === me ? settle.stage : "settling";
  if (view.window) return view.window.seat === me || view.window.declined.includes(me) ? "settling" : "window";
  if (phase === "gift") return view.seats[me - 1].king ? "gift" : "wait";
  if (phase === "deal") return "opening";
  if (view.turn !== me) return last && last.seat !== me && !last.challenged && !last.opening ? "doubt" : "wait";
  return zones[`seat${me}`]?.count ? "say" : "turn";
}

function tfu({ view, me }) {
  if (view.over && view.phase !== "layout") return "next";
  if (view.seats[me - 1].owes) return "owe";
  return view.phase === "layout" ? "call" : view.phase === "play" ? "play" : "";
}
