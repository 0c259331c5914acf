import { computed, type ReadonlySignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Address, address, hrefOf } from "../address.ts";
import { openReader } from "../focus.ts";
import { lookedAt } from "./preview.ts";

const openFile = computed(() => address.value.file);

/** The way from a list to a document. The list stands still while a letter is typed. */
export function ResultLink({
  place,
  children,
}: {
  place: Pick<Address, "file" | "line">;
  children: ComponentChildren;
}) {
  const { file } = place;
  return (
    <a
      href={hrefOf({ ...address.peek(), anchor: "", ...place })}
      data-file={file}
      aria-current={openFile.value === file ? "true" : undefined}
      onFocus={() => {
        lookedAt.value = file;
      }}
      onClick={(event) => {
        // With a modifier the browser opens a tab or a window, as with any link.
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        openReader(place);
      }}
    >
      {children}
    </a>
  );
}

/**
 * For a button that makes a list longer: it goes or moves, so whoever pressed it is led on to the
 * first that is new. Gives what remembers how many there were.
 */
export function useFirstNew(
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
