// Makes elements, and brings a part of the page up to date in place: what has a key keeps its element, its focus, its canvas.

export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Only for our own drawings: never given anything that came over the net.
export function drawing(markup) {
  const holder = document.createElement("template");
  holder.innerHTML = markup;
  return holder.content.firstElementChild;
}

const keyOf = (node) => (node.nodeType === 1 ? node.getAttribute("data-key") : null);

export function patch(parent, wanted) {
  const focused = document.activeElement;
  children(parent, wanted.flat(3).filter(Boolean).map((w) => (typeof w === "string" ? document.createTextNode(w) : w)));
  if (focused && focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
}

function children(parent, wanted) {
  const keyed = new Map();
  for (const child of parent.childNodes) if (keyOf(child) !== null) keyed.set(keyOf(child), child);
  let at = parent.firstChild;
  for (const next of wanted) {
    const key = next.nodeType === 1 ? keyOf(next) : null;
    let have = key !== null ? keyed.get(key) : at;
    if (have && (have.nodeName !== next.nodeName || (key === null && keyOf(have) !== null))) have = null;
    if (!have) {
      parent.insertBefore(next, at);
    } else {
      if (have === at) at = at.nextSibling;
      else parent.insertBefore(have, at);
      same(have, next);
    }
  }
  while (at) {
    const rest = at.nextSibling;
    at.remove();
    at = rest;
  }
}

function same(have, next) {
  if (have.nodeType !== 1) {
    if (have.nodeValue !== next.nodeValue) have.nodeValue = next.nodeValue;
    return;
  }
  for (const { name } of [...have.attributes]) if (!next.hasAttribute(name)) have.removeAttribute(name);
  const unchanged = have.dataset.v !== undefined && have.dataset.v === next.dataset.v;
  for (const { name, value } of next.attributes) if (have.getAttribute(name) !== value) have.setAttribute(name, value);
  if (have.nodeName !== "CANVAS" && !unchanged) children(have, [...next.childNodes]);
}
