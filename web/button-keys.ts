import { hasCharacterKeys, isWindowOpen } from "./keys.ts";

/**
 * Presses the button, among those within, that names the struck key as its own. A key that is held
 * down presses once: whoever holds it has not seen what comes next.
 */
export function pressButton(event: KeyboardEvent, within: string): void {
  if (event.repeat || !isStruckAlone(event)) return;
  const button = document.querySelector<HTMLElement>(
    `${within} [aria-keyshortcuts="${CSS.escape(event.key)}"]`,
  );
  if (!button) return;
  button.click();
  event.preventDefault();
}

/** Whether a single key was struck on the page itself, by somebody who wants such keys. */
export function isStruckAlone(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey, isTrusted } = event;
  // What the palette strikes for somebody is meant, whether or not single keys are wanted.
  if (ctrlKey || metaKey || altKey || (isTrusted && !hasCharacterKeys.value)) return false;
  if (event.defaultPrevented || isWindowOpen()) return false;
  return !(target instanceof Element && target.closest("input, textarea, select"));
}
