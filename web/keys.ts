import { effect, signal } from "@preact/signals";
import { address } from "./address.ts";
import { closeReader, moveBy, searchField, toField } from "./focus.ts";

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

/** A window before the page has the keys, wherever the focus has gone. */
export const isWindowOpen = (): boolean => document.querySelector("dialog[open]") !== null;

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isWindowOpen() || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : document.body;
    // Every other field keeps its keys for itself.
    if (target.closest("input:not(#search), textarea, select")) return;
    const act = actOf(event.key, target);
    if (act?.()) event.preventDefault();
  });
}

/** An act says whether it did anything; a key that did nothing keeps its usual meaning. */
type Act = () => boolean;

function actOf(key: string, target: Element): Act | undefined {
  const isTyping = target === searchField();
  const isInList = isTyping || target === document.body || target.closest(".results") !== null;
  if (key === "ArrowDown" && isInList) return () => moveBy(1);
  if (key === "ArrowUp" && isInList) return () => moveBy(-1);
  if (key === "Escape") return address.value.file ? closeReader : isTyping ? undefined : toField;
  if (isTyping || !hasCharacterKeys.value) return undefined;
  return { "/": toField, "?": openSheet, j: () => moveBy(1), k: () => moveBy(-1) }[key];
}

function openSheet(): boolean {
  isSheetOpen.value = true;
  return true;
}

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
