/** Does what a key does: presses the button that names it, else strikes it on the page. */
export function strike(key: string): void {
  const button = document.querySelector<HTMLElement>(
    `main [aria-keyshortcuts="${CSS.escape(key)}"]`,
  );
  if (button) button.click();
  else {
    const struck = { key, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new KeyboardEvent("keydown", struck));
  }
}
