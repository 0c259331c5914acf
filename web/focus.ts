import { type Address, address, go } from "./address.ts";

/** Opens a document and puts the focus into it, whether or not it was open before. */
export function openReader(place: Pick<Address, "file" | "line">): void {
  go(place);
  afterDrawing(() => document.querySelector<HTMLElement>(".reader"));
}

/** Closes the reader and returns to the result that it was opened from. */
export function closeReader(): boolean {
  const { file } = address.value;
  go({ file: "", line: 1 });
  afterDrawing(() => resultLinks().find((link) => link.dataset.file === file) ?? searchField());
  return true;
}

/** Moves along the results. From elsewhere it starts at the open one, or at the first. */
export function moveBy(step: 1 | -1): boolean {
  const links = resultLinks();
  const here = links.findIndex((link) => link.matches(":focus"));
  const open = links.findIndex((link) => link.hasAttribute("aria-current"));
  const from = here >= 0 || searchField()?.matches(":focus") ? here : open;
  if (from + step < 0) return from >= 0 && toField();
  const next = links[Math.min(from + step, links.length - 1)];
  next?.focus();
  return next !== undefined;
}

export function toField(): boolean {
  searchField()?.focus();
  searchField()?.select();
  return true;
}

export const searchField = (): HTMLInputElement | null => document.querySelector("#search");

const resultLinks = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".results a")];

/** What is to have the focus may only be there once the page has been drawn. */
function afterDrawing(find: () => HTMLElement | null): void {
  requestAnimationFrame(() => find()?.focus({ preventScroll: true }));
}
