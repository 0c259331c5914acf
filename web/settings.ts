import { effect, signal } from "@preact/signals";
import { kept } from "./kept.ts";

export const themes = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

export const sizes = [
  ["small", "Small"],
  ["usual", "Usual"],
  ["large", "Large"],
  ["largest", "Largest"],
] as const;

/** `look.js` reads the same two at the next visit, before the page is drawn. */
export const theme = kept("theme", "system");
export const size = kept("size", "usual");

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});
effect(() => {
  document.documentElement.dataset.size = size.value;
});

/** Whoever speaks to the computer, or strikes keys by accident, can turn single characters off. */
export const characterKeys = kept("character-keys", "on");

export const areSettingsOpen = signal(false);
