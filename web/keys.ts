import { effect, signal } from "@preact/signals";
import { address, go } from "./address.ts";

/** What the sheet of keys says. */
export const keys: readonly [keys: readonly string[], act: string][] = [
  [["/"], "Go to the search field"],
  [["↓", "↑"], "Next and previous result"],
  [["j", "k"], "The same, from anywhere on the page"],
  [["Enter"], "Open a result; in the field, the first one"],
  [["Esc"], "Close the document, then back to the field"],
  [["?"], "This sheet"],
];

/** Whoever speaks to the computer, or strikes keys by accident, can turn single characters off. */
export const hasCharacterKeys = signal(stored() !== "off");
effect(() => store(hasCharacterKeys.value ? "on" : "off"));

export const isSheetOpen = signal(false);

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isSheetOpen.value || event.defaultPrevented) return;
    const act = actOf(event.key, event.target instanceof Element ? event.target : document.body);
    if (act?.()) event.preventDefault();
  });
}

/** An act says whether it did anything; a key that did nothing keeps its usual meaning. */
type Act = () => boolean;

function actOf(key: string, target: Element): Act | undefined {
  const field = searchField();
  const isTyping = target === field;
  const isInList = isTyping || target === document.body || target.closest(".results") !== null;
  if (key === "ArrowDown" && isInList) return () => moveBy(1);
  if (key === "ArrowUp" && isInList) return () => moveBy(-1);
  if (key === "Escape") return address.value.file ? closeReader : isTyping ? undefined : toField;
  if (isTyping || !hasCharacterKeys.value) return undefined;
  return { "/": toField, "?": openSheet, j: () => moveBy(1), k: () => moveBy(-1) }[key];
}

/** Focus moves along the results. From elsewhere it starts at the open one, or at the first. */
function moveBy(step: 1 | -1): boolean {
  const links = [...document.querySelectorAll<HTMLElement>(".results a")];
  const here = links.findIndex((link) => link.matches(":focus"));
  const open = links.findIndex((link) => link.hasAttribute("aria-current"));
  const from = here >= 0 || document.activeElement === searchField() ? here : open;
  if (from + step < 0) return from >= 0 && toField();
  const next = links[Math.min(from + step, links.length - 1)];
  next?.focus();
  return next !== undefined;
}

/** Closes the reader and returns to the result that it was opened from. */
export function closeReader(): boolean {
  const { file } = address.value;
  go({ file: "", line: 1 });
  // On a narrow screen the list is only there again once the page has been drawn.
  requestAnimationFrame(() => {
    const links = [...document.querySelectorAll<HTMLElement>(".results a")];
    (links.find((link) => link.dataset.file === file) ?? searchField())?.focus();
  });
  return true;
}

function toField(): boolean {
  searchField()?.focus();
  searchField()?.select();
  return true;
}

function openSheet(): boolean {
  isSheetOpen.value = true;
  return true;
}

const searchField = (): HTMLInputElement | null => document.querySelector("#search");

/** A browser may be told to keep nothing; the choice then lasts as long as the page. */
function stored(): string | null {
  try {
    return localStorage.getItem("lectern-character-keys");
  } catch {
    return null;
  }
}

function store(choice: string): void {
  try {
    localStorage.setItem("lectern-character-keys", choice);
  } catch {
    // Nothing is lost but the memory of the choice.
  }
}
