/** Stable identifiers of link problems, with their severity. */
const linkFaults = {
  "missing-file": "broken",
  "wrong-case": "broken",
  "missing-anchor": "broken",
  "missing-line": "broken",
  "no-definition": "broken",
  "leads-nowhere": "broken",
  "bad-encoding": "broken",
  backslash: "broken",
  "wrong-anchor-case": "warning",
  "leaves-repository": "warning",
  "folder-without-page": "warning",
  "needs-site": "warning",
  "no-anchors-there": "warning",
  "top-of-page": "warning",
  unreachable: "broken",
  "not-answered": "warning",
} as const satisfies Record<string, "broken" | "warning">;

export type LinkFault = keyof typeof linkFaults;

export type LinkType = "internal" | "anchor" | "external" | "mailto" | "other";

/** The result of checking a link. */
export type LinkVerdict = {
  type: LinkType;
  /** The URL of an external link. */
  url?: string;
  statusCode?: number;
  responseTime?: number;
} & (
  | { status: "valid" }
  | { status: "skipped"; why: string }
  | {
      status: "broken" | "warning";
      fault: LinkFault;
      message: string;
      /** Computed lazily for displayed links only, because it compares all names nearby. */
      remedy: () => string;
    }
);

export const validLink = (type: LinkType): LinkVerdict => ({ status: "valid", type });

export const skippedLink = (type: LinkType, why: string): LinkVerdict => ({
  status: "skipped",
  type,
  why,
});

export const faultyLink = (
  type: LinkType,
  fault: LinkFault,
  message: string,
  remedy: () => string,
): LinkVerdict => ({ status: linkFaults[fault], type, fault, message, remedy });
