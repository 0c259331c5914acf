import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface FrameProps {
  class: string;
  close: () => void;
  /** Whether something may be written in it, which a slip of the mouse beside it must not lose. */
  holdsWords?: boolean;
  "aria-label"?: string;
  "aria-labelledby"?: string;
  children: ComponentChildren;
}

/**
 * The browser's own window before the page, for as long as it is drawn. It holds the focus and gives
 * it back; Escape closes it, and so does a press beside it.
 */
export function Frame({ close, holdsWords = false, ...rest }: FrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      closedby={holdsWords ? "closerequest" : "any"}
      onCancel={(event) => {
        // The browser would tell of its end a moment later, when it may have been opened again.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onClose={(event) => {
        // One that is no longer drawn has ended already, and another may stand in its place.
        if (event.currentTarget.isConnected) close();
      }}
      {...rest}
    />
  );
}

interface WindowProps {
  title: string;
  /** Its class, beside that of every window. */
  name?: string;
  close: () => void;
  holdsWords?: boolean;
  children: ComponentChildren;
}

/** A window with a heading, by which it is told to whoever cannot see it. */
export function Window({ title, name = "", children, ...frame }: WindowProps) {
  const heading = useId();
  return (
    <Frame class={`window ${name}`.trim()} aria-labelledby={heading} {...frame}>
      <header>
        <h2 id={heading}>{title}</h2>
        <form method="dialog">
          <button type="submit" class="quiet">
            Close
          </button>
        </form>
      </header>
      {children}
    </Frame>
  );
}
