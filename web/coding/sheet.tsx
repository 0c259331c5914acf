import "../look/sheet.css";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface SheetProps {
  title: string;
  close: () => void;
  children: ComponentChildren;
}

/** A window before the page for as long as it is drawn. Escape closes it, and the focus goes back. */
export function Sheet({ title, close, children }: SheetProps) {
  const sheet = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    sheet.current?.showModal();
    return () => sheet.current?.close();
  }, []);
  return (
    <dialog ref={sheet} class="sheet" aria-labelledby="sheet-title" onClose={close}>
      <header>
        <h3 id="sheet-title">{title}</h3>
        <button type="button" class="quiet" onClick={() => sheet.current?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}
