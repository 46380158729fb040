// The line to the table: what is heard and said over it, and a word at the foot of the page where it fails.

import { lang, t } from "./words.js";

const $ = (id) => document.getElementById(id);
export const place = new URLSearchParams(location.hash.slice(1));
export const key = () => place.get("key") ?? "";
let socket = null;
let waiting = 0;
let fading = 0;

// `heard` gets each list of messages, `known` says whether the table has been drawn before.
export function connect(hooks) {
  const address = new URL("/ws", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const line = new WebSocket(address);
  socket = line;
  line.onopen = () => {
    const seat = place.get("seat");
    line.send(JSON.stringify({ do: "hello", key: key(), seat: seat ? Number(seat) : null, lang }));
  };
  line.onmessage = (event) => hooks.heard(JSON.parse(event.data));
  line.onclose = (event) => {
    document.body.dataset.ready = "";
    if (event.code === 4403) return say(t("page.stranger"), true);
    say(t(event.code === 1013 ? "page.full" : hooks.known() ? "page.lost" : "page.connecting"), true);
    waiting = Math.min(4000, waiting * 2 || 250);
    setTimeout(() => connect(hooks), waiting);
  };
}

// All anew, in another language: the line is taken up again by itself.
export const again = () => socket.close();

export function welcomed() {
  waiting = 0;
  hideToast();
}

export function send(wish) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(wish));
}

export function say(text, stays = false) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  $("assertive").textContent = text;
  clearTimeout(fading);
  if (!stays) fading = setTimeout(hideToast, 4000);
}

function hideToast() {
  $("toast").hidden = true;
}
