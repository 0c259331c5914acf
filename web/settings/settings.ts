import { effect, signal } from "@preact/signals";
import { storedValue } from "./stored-value.ts";

export const themes = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

export const sizes = [
  ["small", "Small"],
  ["usual", "Normal"],
  ["large", "Large"],
  ["largest", "Largest"],
] as const;

/** `look.js` applies the stored theme and size before the first paint. */
export const theme = storedValue("theme", "system");
export const size = storedValue("size", "usual");

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});
effect(() => {
  document.documentElement.dataset.size = size.value;
});

/** Single-key shortcuts can be turned off for speech input (WCAG 2.1.4). */
export const characterKeys = storedValue("character-keys", "on");

export const areSettingsOpen = signal(false);
