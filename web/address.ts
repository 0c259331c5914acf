import { signal } from "@preact/signals";

/** Where the reader of the page is. It is kept in the location, so reload, back and links work. */
export interface Address {
  /** The screen; that of searching and reading where it is empty. */
  view: string;
  /** What the screen shows: the id of an object, the number of a proposal, a path. */
  of: string;
  /** A part of the screen, such as a tab. */
  part: string;
  query: string;
  /** Only this collection; all of them where it is empty. */
  collection: string;
  /** The open document as `collection/path`; none where it is empty. */
  file: string;
  line: number;
  /** The heading of the open document that a link named; none where it is empty. */
  anchor: string;
  /** What a search is narrowed by. */
  filters: Filters;
}

export interface Filters {
  /** How to look: by keywords where it is empty, `meaning` or `both`. */
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

export const address = signal(read(location.search));

addEventListener("popstate", () => {
  address.value = read(location.search);
});

/** Typing replaces the entry of the history; opening and closing add one. */
export function go(change: Partial<Address>, how: "push" | "replace" = "push"): void {
  const next = addressWith(change);
  const href = hrefOf(next);
  if (href !== hrefOf(address.value)) history[`${how}State`](null, "", href);
  address.value = next;
}

/** This address with a change; another place in a document is at no heading that was named before. */
export function addressWith(change: Partial<Address>): Address {
  const isElsewhere = change.file !== undefined || change.line !== undefined;
  return { ...address.value, ...(isElsewhere && { anchor: "" }), ...change };
}

/** Another screen, from its beginning. */
export const screen = (view: string, of = "", part = ""): Address => ({
  view,
  of,
  part,
  query: "",
  collection: "",
  file: "",
  line: 1,
  anchor: "",
  filters: noFilters,
});

/** `?q=tape&in=notes&open=notes/a.md&line=12` or `?view=review&of=12`, without what is empty. */
export function hrefOf(place: Address): string {
  const { view, of, part, query, collection, file, line, anchor, filters } = place;
  const parts = new URLSearchParams();
  if (view) parts.set("view", view);
  if (of) parts.set("of", of);
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

/** The filters that have one value; the address spells them so too. */
const filterKeys = ["by", "type", "language", "after", "before"] as const;

function read(search: string): Address {
  const parts = new URLSearchParams(search);
  return {
    view: parts.get("view") ?? "",
    of: parts.get("of") ?? "",
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
