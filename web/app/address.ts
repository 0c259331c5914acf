import { signal } from "@preact/signals";

/** The state of the page that its URL holds, so that reload, back and links work. */
export interface Address {
  /** The screen; empty for search and reading. */
  view: string;
  /** The item shown: the id of an object, the number of a proposal, a path. */
  item: string;
  /** A part of the screen, such as a tab. */
  part: string;
  query: string;
  /** The selected collection; empty for all. */
  collection: string;
  /** The open document as `collection/path`; empty for none. */
  file: string;
  line: number;
  /** The heading that a link to the document named; empty for none. */
  anchor: string;
  /** The filters of the search. */
  filters: Filters;
}

export interface Filters {
  /** The search mode: empty for keywords, `meaning` or `both`. */
  by: string;
  type: string;
  language: string;
  after: string;
  before: string;
  /** Conditions on the front matter: `status=draft`. */
  where: readonly string[];
}

export const noFilters: Filters = {
  by: "",
  type: "",
  language: "",
  after: "",
  before: "",
  where: [],
};

export const address = signal(parseAddress(location.search));

addEventListener("popstate", () => {
  address.value = parseAddress(location.search);
});

/** Typing replaces the history entry; opening and closing push a new one. */
export function navigate(change: Partial<Address>, how: "push" | "replace" = "push"): void {
  const next = addressWith(change);
  const href = hrefOf(next);
  if (href !== hrefOf(address.value)) history[`${how}State`](null, "", href);
  address.value = next;
}

/** The current address with a change. A new file or line drops the anchor. */
export function addressWith(change: Partial<Address>): Address {
  const isElsewhere = change.file !== undefined || change.line !== undefined;
  return { ...address.value, ...(isElsewhere && { anchor: "" }), ...change };
}

/** A screen with everything else reset. */
export const screenAddress = (view: string, item = "", part = ""): Address => ({
  view,
  item,
  part,
  query: "",
  collection: "",
  file: "",
  line: 1,
  anchor: "",
  filters: noFilters,
});

/** `?q=tape&in=notes&open=notes/a.md&line=12` or `?view=review&of=12`; empty values are omitted. */
export function hrefOf(target: Address): string {
  const { view, item, part, query, collection, file, line, anchor, filters } = target;
  const parts = new URLSearchParams();
  if (view) parts.set("view", view);
  if (item) parts.set("of", item);
  if (part) parts.set("part", part);
  if (query) parts.set("q", query);
  if (collection) parts.set("in", collection);
  if (file) parts.set("open", file);
  if (file && line > 1) parts.set("line", String(line));
  if (file && anchor) parts.set("at", anchor);
  for (const key of filterKeys) if (filters[key]) parts.set(key, filters[key]);
  for (const condition of filters.where) parts.append("where", condition);
  return `/?${parts}`.replace(/\?$/, "");
}

/** The filters with a single value, which are also their URL keys. */
const filterKeys = ["by", "type", "language", "after", "before"] as const;

function parseAddress(search: string): Address {
  const parts = new URLSearchParams(search);
  return {
    view: parts.get("view") ?? "",
    item: parts.get("of") ?? "",
    part: parts.get("part") ?? "",
    query: parts.get("q") ?? "",
    collection: parts.get("in") ?? "",
    file: parts.get("open") ?? "",
    line: Math.max(1, Number.parseInt(parts.get("line") ?? "1", 10) || 1),
    anchor: parts.get("at") ?? "",
    filters: {
      by: parts.get("by") ?? "",
      type: parts.get("type") ?? "",
      language: parts.get("language") ?? "",
      after: parts.get("after") ?? "",
      before: parts.get("before") ?? "",
      where: parts.getAll("where"),
    },
  };
}
