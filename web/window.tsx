import { type Signal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

interface WindowProps {
  isOpen: Signal<boolean>;
  /** The id of its heading and its class. */
  name: string;
  title: string;
  children: ComponentChildren;
}

/** A window before the page, of the browser's own kind: it holds the focus and Escape closes it. */
export function Window({ isOpen, name, title, children }: WindowProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useSignalEffect(() => {
    if (isOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  });
  return (
    <dialog
      ref={dialog}
      class={`window ${name}`}
      aria-labelledby={name}
      onClose={() => {
        isOpen.value = false;
      }}
    >
      <h2 id={name}>{title}</h2>
      {children}
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
