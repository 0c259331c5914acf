import { useLayoutEffect } from "preact/hooks";
import { areCharacterKeysOn, isWindowOpen } from "./shortcuts.ts";

/** Lets keys press the buttons inside a container, given by its selector. */
export function useButtonShortcuts(container: string): void {
  useKeys((event) => pressShortcutButton(event, container));
}

/** Handles keydown events while the component is mounted. Later handlers are ignored. */
export function useKeys(handler: (event: KeyboardEvent) => void): void {
  useLayoutEffect(() => {
    addEventListener("keydown", handler);
    return () => removeEventListener("keydown", handler);
  }, []);
}

/**
 * Presses the button in the container whose `aria-keyshortcuts` is the pressed key. Key repeat is
 * ignored: the user has not seen the next state yet.
 */
export function pressShortcutButton(event: KeyboardEvent, container: string): void {
  if (event.repeat || !isSingleKeyPress(event)) return;
  const button = document.querySelector<HTMLElement>(
    `${container} [aria-keyshortcuts="${CSS.escape(event.key)}"]`,
  );
  if (!button) return;
  button.click();
  event.preventDefault();
}

/** Whether an event is a plain key outside any field or dialog, and character keys are enabled. */
export function isSingleKeyPress(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey, isTrusted } = event;
  // Synthetic events come from the palette and count even if character keys are off.
  if (ctrlKey || metaKey || altKey || (isTrusted && !areCharacterKeysOn.value)) return false;
  if (event.defaultPrevented || isWindowOpen()) return false;
  return !(target instanceof Element && target.closest("input, textarea, select"));
}
