// The words of the page, in the viewer's language.

let all = { page: {}, cards: {}, ranks: {}, may: {}, seats: {} };
export let lang = "fr";

export async function load(wanted) {
  const answer = await fetch(`/strings/${wanted}.json`);
  if (!answer.ok) throw new Error(`strings: ${answer.status}`);
  all = await answer.json();
  lang = wanted;
  document.documentElement.lang = wanted;
  document.title = t("page.title");
}

export function t(key, values = {}) {
  const text = all.page[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export const has = (key) => key in all.page;
export const seatName = (n) => all.seats[n] ?? String(n);
export const may = (game, id) => all.may[`${game}.${id}`] ?? id;
export const kindName = (kind) => all.cards[kind] ?? kind;
export const rankName = (rank) => all.ranks[rank] ?? rank;
