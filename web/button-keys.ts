import { hasCharacterKeys, isWindowOpen } from "./keys.ts";

/** Presses the button, among those within, that names the struck key as its own. */
export function pressButton(event: KeyboardEvent, within: string): void {
  if (!isStruckAlone(event)) return;
  const button = document.querySelector<HTMLElement>(
    `${within} [aria-keyshortcuts="${CSS.escape(event.key)}"]`,
  );
  if (!button) return;
  button.click();
  event.preventDefault();
}

/** Whether a single key was struck on the page itself, by somebody who wants such keys. */
export function isStruckAlone({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || !hasCharacterKeys.value || isWindowOpen()) return false;
  return !(target instanceof Element && target.closest("input, textarea, select"));
}
