import { type Address, address, navigate } from "../app/address.ts";

/** Opens a document and focuses it, even if it was open already. */
export function openReader(target: Pick<Address, "file" | "line">): void {
  navigate(target);
  focusAfterRender(() => document.querySelector<HTMLElement>(".reader"));
}

/** Closes the reader and focuses the result that it was opened from. */
export function closeReader(): boolean {
  const { file } = address.value;
  navigate({ file: "", line: 1 });
  focusAfterRender(() => resultLinks().find((link) => link.dataset.file === file) ?? searchField());
  return true;
}

/** Moves the focus along the results. From elsewhere it starts at the open result, else the first. */
export function moveResultFocus(step: 1 | -1): boolean {
  const links = resultLinks();
  const focused = links.findIndex((link) => link.matches(":focus"));
  const open = links.findIndex((link) => link.hasAttribute("aria-current"));
  const from = focused >= 0 || searchField()?.matches(":focus") ? focused : open;
  if (from + step < 0) return from >= 0 && focusSearchField();
  const next = links[Math.min(from + step, links.length - 1)];
  next?.focus();
  return next !== undefined;
}

export function focusSearchField(): boolean {
  searchField()?.focus();
  searchField()?.select();
  return true;
}

export const searchField = (): HTMLInputElement | null => document.querySelector("#search");

const resultLinks = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".results a")];

/** Waits for the render, since the element may not exist before. */
function focusAfterRender(find: () => HTMLElement | null): void {
  requestAnimationFrame(() => find()?.focus({ preventScroll: true }));
}
