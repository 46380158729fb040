// Cards fly: from where they were, or from whom they came, to where they now are.

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

export function before() {
  const places = new Map();
  for (const element of document.querySelectorAll("[data-key].card, [data-anchor]")) {
    const box = element.getBoundingClientRect();
    if (box.width) places.set(element.dataset.key ?? `@${element.dataset.anchor}`, box);
  }
  return places;
}

export function after(places, drawn) {
  if (still()) return;
  for (const element of document.querySelectorAll("[data-key].card")) {
    const from = places.get(element.dataset.key) ?? places.get(`@${element.dataset.source}`);
    const to = element.getBoundingClientRect();
    if (!from || !to.width) continue;
    const dx = from.left + from.width / 2 - to.left - to.width / 2;
    const dy = from.top + from.height / 2 - to.top - to.height / 2;
    if (Math.abs(dx) + Math.abs(dy) < 30) continue;
    const size = Math.max(0.3, Math.min(1.6, from.height / to.height));  // places are wider than cards, not higher
    // A card in the air is not in the way of a hand that reaches beneath it.
    const air = { zIndex: 9, pointerEvents: "none" };
    element.animate([{ transform: `translate(${dx}px, ${dy}px) scale(${size})`, ...air }, { transform: "none", ...air }], { duration: 380, easing: "cubic-bezier(.2,.8,.3,1)" });
  }
  for (const { from, to } of drawn) back(places.get(`@${from}`), document.querySelector(`[data-anchor="${to}"]`));
}

// A card nobody here may see goes from one place to another.
function back(from, target) {
  if (!from || !target) return;
  const to = target.getBoundingClientRect();
  const ghost = document.createElement("div");
  ghost.className = "card back";
  ghost.style.left = `${from.left + from.width / 2 - 23}px`;
  ghost.style.top = `${from.top + from.height / 2 - 32}px`;
  document.getElementById("air").append(ghost);
  const dx = to.left + to.width / 2 - from.left - from.width / 2;
  const dy = to.top + to.height / 2 - from.top - from.height / 2;
  const flight = ghost.animate([{ transform: "none" }, { transform: `translate(${dx}px, ${dy}px) scale(.5)`, opacity: 0.7 }], { duration: 420, easing: "ease-in-out" });
  flight.onfinish = () => ghost.remove();
}
