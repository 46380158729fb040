// The record of the table: take it home, or bring one along to step through.

import { h } from "./dom.js";
import { key, say } from "./wire.js";
import { t } from "./words.js";

const mine = () => ({ Authorization: `Bearer ${key()}` });

export async function download(all) {
  const answer = await fetch(`/record${all ? "?all=1" : ""}`, { headers: mine() });
  const link = h("a", { href: URL.createObjectURL(await answer.blob()), download: all ? "record.jsonl" : "public.jsonl" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function bring(file) {
  try {
    const answer = await fetch("/open", { method: "POST", body: file, headers: mine() });
    if (!answer.ok) say(t("no.no-record", { why: await answer.text() }));
  } catch {
    say(t("page.lost"));
  }
}

export function choose() {
  const input = h("input", { type: "file", id: "record-file", accept: ".jsonl,.json,.txt", hidden: true });
  const gone = () => input.remove();
  input.addEventListener("change", () => { bring(input.files[0]); gone(); });
  input.addEventListener("cancel", gone);
  document.body.append(input);
  input.click();
}

// A file dropped anywhere on the page, by whoever may open one.
export function drops(allowed) {
  const holds = (event) => allowed() && [...event.dataTransfer?.types ?? []].includes("Files");
  document.addEventListener("dragover", (event) => { if (holds(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    bring(event.dataTransfer.files[0]);
  });
}
