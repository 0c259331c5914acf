/** What a link says of the place that it leads to. */
export type Destination =
  | { kind: "empty" }
  /** Another program's business: mail, telephone, data. */
  | { kind: "other"; scheme: string }
  | { kind: "outside"; url: string }
  /** Filled in by a site generator: `{{ site.url }}/x`. */
  | { kind: "template" }
  | LocalDestination;

export interface LocalDestination {
  kind: "local";
  /** As written, without what follows `?` or `#`; empty for a place on the same page. */
  written: string;
  /** With percent signs read, where they can be read. */
  path: string;
  isBadlyEncoded: boolean;
  isRootRelative: boolean;
  /** Decoded; undefined without `#`. */
  fragment: string | undefined;
}

export function readDestination(written: string): Destination {
  const text = written.trim();
  if (text === "") return { kind: "empty" };
  if (/\{\{|\{%|<%|\$\{/.test(text)) return { kind: "template" };
  if (text.startsWith("//")) return { kind: "outside", url: `https:${text}` };
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === "http" || scheme === "https") return { kind: "outside", url: text };
  if (scheme !== undefined) return { kind: "other", scheme };
  const hash = text.indexOf("#");
  const place = (hash < 0 ? text : text.slice(0, hash)).replace(/\?.*$/s, "");
  const decoded = percentDecoded(place);
  const fragment = hash < 0 ? undefined : text.slice(hash + 1).replace(/:~:.*$/s, "");
  return {
    kind: "local",
    written: place,
    path: decoded ?? place,
    isBadlyEncoded: decoded === undefined,
    isRootRelative: place.startsWith("/"),
    fragment: fragment === undefined ? undefined : (percentDecoded(fragment) ?? fragment),
  };
}

/** The path that it means on the page at `from`; undefined where it leads out of the folder of all. */
export function pathMeant(destination: Way, from: string): string | undefined {
  const way = wayMeant(destination, from);
  return /^\.\.(?:\/|$)/.test(way) ? undefined : way;
}

type Way = Pick<LocalDestination, "path" | "isRootRelative">;

/** The same where it may lead out of the folder of all: `../notes/lamp.md`. */
export function wayMeant({ path, isRootRelative }: Way, from: string): string {
  const steps = isRootRelative ? [] : from.split("/").slice(0, -1);
  for (const step of path.split("/")) {
    const isOutside = steps.length === 0 || steps.at(-1) === "..";
    if (step === ".." && !isOutside) steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return steps.join("/");
}

/** Undefined where the percent signs make no sense, or hide a NUL. */
function percentDecoded(written: string): string | undefined {
  if (!written.includes("%")) return written;
  try {
    const read = decodeURIComponent(written);
    return read.includes("\0") ? undefined : read;
  } catch {
    return undefined;
  }
}

/** The lines that `#L10` or `#L10-L20` names in a file of code: the last of them. */
export function lastLineIn(fragment: string): number | undefined {
  const lines = /^L(\d{1,9})(?:C\d+)?(?:-L?(\d{1,9})(?:C\d+)?)?$/.exec(fragment);
  if (!lines) return undefined;
  return Math.max(Number(lines[1]), Number(lines[2] ?? 0));
}
