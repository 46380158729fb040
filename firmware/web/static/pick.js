// Picking up and putting down: by dragging, by tapping twice, by keyboard. All three end in `drop`.
//
// A card that can be moved is a button with data-card and data-from; a place that takes cards has data-drop.

const FAR = 7;
let chosen = null;
let drag = null;
let hooks = { drop: () => {}, changed: () => {} };

export const picked = () => chosen;

export function start(given) {
  hooks = given;
  document.addEventListener("pointerdown", down);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", up);
  document.addEventListener("pointercancel", cancel);
  document.addEventListener("click", click);
  document.addEventListener("keydown", key);
  document.addEventListener("dragstart", (event) => event.preventDefault());
}

export function choose(what, byKey = false) {
  chosen = what;
  hooks.changed(byKey);
}

// The card that was picked is no longer there to be moved.
export function forget(stays) {
  if (chosen && !stays(chosen)) choose(null);
}

const of = (element) => ({ card: element.dataset.card, from: element.dataset.from });

function down(event) {
  const element = event.target.closest("[data-card]");
  if (!element || event.button > 0 || drag) return;
  drag = { element, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null, over: null };
}

function move(event) {
  if (!drag || event.pointerId !== drag.id) return;
  const dx = event.clientX - drag.x;
  const dy = event.clientY - drag.y;
  if (!drag.ghost) {
    if (Math.hypot(dx, dy) < FAR) return;
    const box = drag.element.getBoundingClientRect();
    drag.what = of(drag.element);
    drag.ghost = drag.element.cloneNode(true);
    drag.ghost.removeAttribute("data-key");
    drag.ghost.style.setProperty("--w", `${box.width}px`);
    drag.left = box.left;
    drag.top = box.top;
    document.getElementById("air").append(drag.ghost);
    choose(drag.what);
    drag.element.classList.add("lifted");
  }
  drag.ghost.style.left = `${drag.left + dx}px`;
  drag.ghost.style.top = `${drag.top + dy - 8}px`;
  const over = placeAt(event);
  if (over !== drag.over) {
    drag.over?.classList.remove("over");
    over?.classList.add("over");
    drag.over = over;
  }
}

// All that lies there is asked, not the topmost alone: a card may just be flying over.
const placeAt = (event) => document.elementsFromPoint(event.clientX, event.clientY).find((element) => element.matches("[data-drop]")) ?? null;

function up(event) {
  if (!drag || event.pointerId !== drag.id) return;
  const { ghost, what, element } = drag;
  const over = ghost ? placeAt(event) : null;
  end();
  if (!ghost) return;
  element.classList.remove("lifted");
  swallow = true;
  setTimeout(() => { swallow = false; }, 0);
  choose(null);
  if (over) hooks.drop(what, over.dataset.drop);
}

let swallow = false;

function cancel() {
  if (!drag) return;
  drag.element.classList.remove("lifted");
  const moved = drag.ghost;
  end();
  if (moved) choose(null);
}

function end() {
  drag.ghost?.remove();
  drag.over?.classList.remove("over");
  drag = null;
}

function click(event) {
  if (swallow) return;
  const byKey = event.detail === 0;
  const place = event.target.closest("[data-drop]");
  if (chosen && place) {
    const what = chosen;
    choose(null);
    hooks.drop(what, place.dataset.drop);
    return;
  }
  const element = event.target.closest("[data-card]");
  if (!element) return;
  const what = of(element);
  if (hooks.quick(what)) return;
  choose(chosen && chosen.card === what.card && chosen.from === what.from ? null : what, byKey);
}

function key(event) {
  if (event.key === "Escape" && chosen) {
    const card = document.querySelector(`[data-card="${CSS.escape(chosen.card)}"]`);
    choose(null);
    card?.focus();
    return;
  }
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const here = document.activeElement;
  const group = here?.matches("[data-drop]") ? "[data-drop]" : here?.matches(".hand [data-card]") ? ".hand [data-card]" : null;
  if (!group) return;
  const all = [...document.querySelectorAll(group)].filter((element) => element.offsetParent !== null);
  event.preventDefault();
  all[(all.indexOf(here) + step + all.length) % all.length]?.focus();
}
