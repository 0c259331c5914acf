import { signal } from "@preact/signals";

/** Where the reader of the page is. It is kept in the location, so reload, back and links work. */
export interface Address {
  query: string;
  /** Only this collection; all of them where it is empty. */
  collection: string;
  /** The open document as `collection/path`; none where it is empty. */
  file: string;
  line: number;
}

export const address = signal(read(location.search));

addEventListener("popstate", () => {
  address.value = read(location.search);
});

/** Typing replaces the entry of the history; opening and closing add one. */
export function go(change: Partial<Address>, how: "push" | "replace" = "push"): void {
  const next = { ...address.value, ...change };
  const href = hrefOf(next);
  if (href !== hrefOf(address.value)) history[`${how}State`](null, "", href);
  address.value = next;
}

/** `?q=tape&in=notes&open=notes/a.md&line=12`, without what is empty. */
export function hrefOf({ query, collection, file, line }: Address): string {
  const parts = new URLSearchParams();
  if (query) parts.set("q", query);
  if (collection) parts.set("in", collection);
  if (file) parts.set("open", file);
  if (file && line > 1) parts.set("line", String(line));
  return `/?${parts}`.replace(/\?$/, "");
}

function read(search: string): Address {
  const parts = new URLSearchParams(search);
  return {
    query: parts.get("q") ?? "",
    collection: parts.get("in") ?? "",
    file: parts.get("open") ?? "",
    line: Math.max(1, Number.parseInt(parts.get("line") ?? "1", 10) || 1),
  };
}
