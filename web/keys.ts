import { computed, signal } from "@preact/signals";
import { address, go, screen } from "./address.ts";
import { closeReader, moveBy, searchField, toField } from "./focus.ts";
import { isPaletteOpen } from "./palette/opening.ts";
import { screens } from "./screen-list.ts";
import { areSettingsOpen, characterKeys } from "./settings.ts";

export const hasCharacterKeys = computed(() => characterKeys.value === "on");

export const isSheetOpen = signal(false);

/** A window before the page has the keys, wherever the focus has gone. */
export const isWindowOpen = (): boolean => document.querySelector("dialog[open]") !== null;

/** So long a `g` waits for the letter of a screen. */
const patienceMs = 1_500;
let askedToGo = Number.NEGATIVE_INFINITY;

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented) return;
    if (isForPalette(event)) {
      isPaletteOpen.value = !isPaletteOpen.value;
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isWindowOpen()) return;
    const target = event.target instanceof Element ? event.target : document.body;
    // Every other field keeps its keys for itself.
    if (target.closest("input:not(#search), textarea, select")) return;
    const act = actOf(event, target);
    if (act?.()) event.preventDefault();
  });
}

/** It opens from everywhere, fields included, and not before another window. */
function isForPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== "k" || altKey || shiftKey || !(ctrlKey || metaKey)) return false;
  return isPaletteOpen.value || !isWindowOpen();
}

/** An act says whether it did anything; a key that did nothing keeps its usual meaning. */
type Act = () => boolean;

function actOf({ key, isTrusted }: KeyboardEvent, target: Element): Act | undefined {
  const isTyping = target === searchField();
  const isInList = isTyping || target === document.body || target.closest(".results") !== null;
  if (key === "ArrowDown" && isInList) return () => moveBy(1);
  if (key === "ArrowUp" && isInList) return () => moveBy(-1);
  if (key === "Escape") return address.value.file ? closeReader : isTyping ? undefined : toField;
  // What the palette strikes for somebody is meant, whether or not single keys are wanted.
  if (isTyping || (isTrusted && !hasCharacterKeys.value)) return undefined;
  return screenAsked(key) ?? characters[key];
}

const characters: Record<string, Act> = {
  "/": toField,
  "?": () => opened(isSheetOpen),
  ",": () => opened(areSettingsOpen),
  g() {
    askedToGo = performance.now();
    return true;
  },
  j: () => moveBy(1),
  k: () => moveBy(-1),
};

/** The letter after a `g`: `g r` leads to the review. */
function screenAsked(key: string): Act | undefined {
  const isAsked = performance.now() - askedToGo < patienceMs;
  askedToGo = Number.NEGATIVE_INFINITY;
  const found = isAsked ? screens.value.find((one) => one.key === key) : undefined;
  return (
    found &&
    (() => {
      go(screen(found.name));
      return true;
    })
  );
}

function opened(window: { value: boolean }): boolean {
  window.value = true;
  return true;
}
