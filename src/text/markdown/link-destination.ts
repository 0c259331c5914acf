/** A parsed link destination. */
export type LinkDestination =
  | { kind: "empty" }
  /** A scheme other than HTTP: `mailto`, `tel`, `data`. */
  | { kind: "other"; scheme: string }
  | { kind: "outside"; url: string }
  /** Filled in by a site generator: `{{ site.url }}/x`. */
  | { kind: "template" }
  | LocalDestination;

export interface LocalDestination {
  kind: "local";
  /** The source text without query and fragment; empty for a link within the page. */
  written: string;
  /** Percent-decoded, if possible. */
  path: string;
  isBadlyEncoded: boolean;
  isRootRelative: boolean;
  /** Decoded; undefined without `#`. */
  fragment: string | undefined;
}

export function parseLinkDestination(written: string): LinkDestination {
  const text = written.trim();
  if (text === "") return { kind: "empty" };
  if (/\{\{|\{%|<%|\$\{/.test(text)) return { kind: "template" };
  if (text.startsWith("//")) return { kind: "outside", url: `https:${text}` };
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === "http" || scheme === "https") return { kind: "outside", url: text };
  if (scheme !== undefined) return { kind: "other", scheme };
  const hash = text.indexOf("#");
  const path = (hash < 0 ? text : text.slice(0, hash)).replace(/\?.*$/s, "");
  const decoded = percentDecoded(path);
  const fragment = hash < 0 ? undefined : text.slice(hash + 1).replace(/:~:.*$/s, "");
  return {
    kind: "local",
    written: path,
    path: decoded ?? path,
    isBadlyEncoded: decoded === undefined,
    isRootRelative: path.startsWith("/"),
    fragment: fragment === undefined ? undefined : (percentDecoded(fragment) ?? fragment),
  };
}

/** Resolves a link on the page at `from`; undefined if it leaves the root folder. */
export function resolveInside(destination: LinkPath, from: string): string | undefined {
  const path = resolveLinkPath(destination, from);
  return /^\.\.(?:\/|$)/.test(path) ? undefined : path;
}

type LinkPath = Pick<LocalDestination, "path" | "isRootRelative">;

/** Resolves a link that may leave the root folder: `../notes/lamp.md`. */
export function resolveLinkPath({ path, isRootRelative }: LinkPath, from: string): string {
  const steps = isRootRelative ? [] : from.split("/").slice(0, -1);
  for (const step of path.split("/")) {
    const isOutside = steps.length === 0 || steps.at(-1) === "..";
    if (step === ".." && !isOutside) steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return steps.join("/");
}

/** Undefined if the encoding is invalid or contains a NUL. */
function percentDecoded(written: string): string | undefined {
  if (!written.includes("%")) return written;
  try {
    const decoded = decodeURIComponent(written);
    return decoded.includes("\0") ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** The last line of a line fragment: 20 for `#L10-L20`. */
export function lastLineOfFragment(fragment: string): number | undefined {
  const lines = /^L(\d{1,9})(?:C\d+)?(?:-L?(\d{1,9})(?:C\d+)?)?$/.exec(fragment);
  if (!lines) return undefined;
  return Math.max(Number(lines[1]), Number(lines[2] ?? 0));
}
