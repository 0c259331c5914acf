import { computed, type ReadonlySignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Address, address, hrefOf } from "../app/address.ts";
import { openReader } from "../keyboard/focus.ts";
import { focusedResult } from "./result-preview.ts";

const openFile = computed(() => address.value.file);

/** A link from a list to a document. It does not re-render while the user types. */
export function ResultLink({
  target,
  children,
}: {
  target: Pick<Address, "file" | "line">;
  children: ComponentChildren;
}) {
  const { file } = target;
  return (
    <a
      href={hrefOf({ ...address.peek(), anchor: "", ...target })}
      data-file={file}
      aria-current={openFile.value === file ? "true" : undefined}
      onFocus={() => {
        focusedResult.value = file;
      }}
      onClick={(event) => {
        // With a modifier the browser opens a tab or a window, as with any link.
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        openReader(target);
      }}
    >
      {children}
    </a>
  );
}

/**
 * For a button that extends a list: moves the focus to the first new item, since the button moves or
 * disappears. Returns a function that records the previous length.
 */
export function useFocusFirstNew(
  list: RefObject<HTMLElement | null>,
  answer: ReadonlySignal<unknown>,
): (before: number) => void {
  const before = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (before.current === undefined) return;
    const links = [...(list.current?.querySelectorAll<HTMLElement>("h2 a") ?? [])];
    (links[before.current] ?? links.at(-1))?.focus();
    before.current = undefined;
  }, [answer.value]);
  return (count) => {
    before.current = count;
  };
}
