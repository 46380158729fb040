// The words of the page, in the viewer's language.

let all = { page: {}, cards: {}, ranks: {}, may: {}, seats: {}, languages: {} };
export let lang = "fr";

// False where the table does not speak it.
export async function load(wanted) {
  const answer = await fetch(`/strings/${encodeURIComponent(wanted)}.json`);
  if (answer.status === 404) return false;
  if (!answer.ok) throw new Error(`strings: ${answer.status}`);
  all = await answer.json();
  lang = wanted;
  document.documentElement.lang = wanted;
  document.title = t("page.title");
  return true;
}

export function t(key, values = {}) {
  const text = all.page[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// Code and name of each language there is.
export const languages = () => Object.entries(all.languages);
export const has = (key) => key in all.page;
export const seatName = (n) => all.seats[n] ?? String(n);
export const may = (game, id) => all.may[`${game}.${id}`] ?? id;
export const kindName = (kind) => all.cards[kind] ?? kind;
export const rankName = (rank) => all.ranks[rank] ?? rank;
