import { computed, signal } from "@preact/signals";
import { address, navigate, screenAddress } from "../app/address.ts";
import { screens } from "../app/screen-list.ts";
import { isPaletteOpen } from "../palette/palette-state.ts";
import { areSettingsOpen, characterKeys } from "../settings/settings.ts";
import { closeReader, focusSearchField, moveResultFocus, searchField } from "./focus.ts";

export const areCharacterKeysOn = computed(() => characterKeys.value === "on");

export const isShortcutHelpOpen = signal(false);

/** Whether a modal dialog is open. It receives all keys, regardless of the focus. */
export const isWindowOpen = (): boolean => document.querySelector("dialog[open]") !== null;

/** How long a `g` waits for the key of a screen. */
const chordTimeoutMs = 1_500;
let chordStartedAt = Number.NEGATIVE_INFINITY;

export function listenForShortcuts(): void {
  addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented) return;
    if (isForPalette(event)) {
      isPaletteOpen.value = !isPaletteOpen.value;
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isWindowOpen()) return;
    const target = event.target instanceof Element ? event.target : document.body;
    // All other fields handle their keys themselves.
    if (target.closest("input:not(#search), textarea, select")) return;
    const act = keyActionFor(event, target);
    if (act?.()) event.preventDefault();
  });
}

/** The palette opens from everywhere, fields included, but not over another dialog. */
function isForPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== "k" || altKey || shiftKey || !(ctrlKey || metaKey)) return false;
  return isPaletteOpen.value || !isWindowOpen();
}

/** Returns whether it did anything; otherwise the key keeps its default action. */
type KeyAction = () => boolean;

function keyActionFor({ key, isTrusted }: KeyboardEvent, target: Element): KeyAction | undefined {
  const isTyping = target === searchField();
  const isInList = isTyping || target === document.body || target.closest(".results") !== null;
  if (key === "ArrowDown" && isInList) return () => moveResultFocus(1);
  if (key === "ArrowUp" && isInList) return () => moveResultFocus(-1);
  if (key === "Escape")
    return address.value.file ? closeReader : isTyping ? undefined : focusSearchField;
  // Synthetic events come from the palette and count even if character keys are off.
  if (isTyping || (isTrusted && !areCharacterKeysOn.value)) return undefined;
  return chordAction(key) ?? characterActions[key];
}

const characterActions: Record<string, KeyAction> = {
  "/": focusSearchField,
  "?": () => openWindow(isShortcutHelpOpen),
  ",": () => openWindow(areSettingsOpen),
  g() {
    chordStartedAt = performance.now();
    return true;
  },
  j: () => moveResultFocus(1),
  k: () => moveResultFocus(-1),
};

/** The key after a `g`: `g r` opens the review. */
function chordAction(key: string): KeyAction | undefined {
  const isChord = performance.now() - chordStartedAt < chordTimeoutMs;
  chordStartedAt = Number.NEGATIVE_INFINITY;
  const target = isChord ? screens.value.find((screen) => screen.key === key) : undefined;
  return (
    target &&
    (() => {
      navigate(screenAddress(target.name));
      return true;
    })
  );
}

function openWindow(window: { value: boolean }): boolean {
  window.value = true;
  return true;
}
