import type { ButtonHTMLAttributes } from "preact";

type Props = ButtonHTMLAttributes & { shortcut: string };

/** A button that shows its keyboard shortcut. */
export function KeyButton({ shortcut, children, ...attributes }: Props) {
  return (
    <button type="button" aria-keyshortcuts={shortcut} {...attributes}>
      {children} <kbd>{shortcut}</kbd>
    </button>
  );
}
