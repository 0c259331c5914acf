import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  class: string;
  close: () => void;
  /** Whether it has input fields, whose content a click outside must not discard. */
  hasInput?: boolean;
  "aria-label"?: string;
  "aria-labelledby"?: string;
  children: ComponentChildren;
}

/**
 * A modal dialog, open while it is rendered. The browser traps the focus and restores it. Escape
 * closes it, and so does a click outside.
 */
export function Dialog({ close, hasInput = false, ...rest }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      closedby={hasInput ? "closerequest" : "any"}
      onCancel={(event) => {
        // The close event comes later, when the dialog may already be open again.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onClose={(event) => {
        // A removed dialog is closed already, and another one may have replaced it.
        if (event.currentTarget.isConnected) close();
      }}
      {...rest}
    />
  );
}

interface TitledDialogProps {
  title: string;
  /** An additional class. */
  name?: string;
  close: () => void;
  hasInput?: boolean;
  children: ComponentChildren;
}

/** A dialog labelled by its heading. */
export function TitledDialog({ title, name = "", children, ...frame }: TitledDialogProps) {
  const heading = useId();
  return (
    <Dialog class={`window ${name}`.trim()} aria-labelledby={heading} {...frame}>
      <header>
        <h2 id={heading}>{title}</h2>
        <form method="dialog">
          <button type="submit" class="quiet">
            Close
          </button>
        </form>
      </header>
      {children}
    </Dialog>
  );
}
