/** What is wrong with a link, as a word that tests and tools can hold on to. */
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

/** What was found out about a link. */
export type LinkVerdict = {
  type: LinkType;
  /** The address, for links that lead out of this machine. */
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
      /** Worked out only for links that are shown: it looks through all names nearby. */
      remedy: () => string;
    }
);

export const valid = (type: LinkType): LinkVerdict => ({ status: "valid", type });

export const skipped = (type: LinkType, why: string): LinkVerdict => ({
  status: "skipped",
  type,
  why,
});

export const faulty = (
  type: LinkType,
  fault: LinkFault,
  message: string,
  remedy: () => string,
): LinkVerdict => ({ status: linkFaults[fault], type, fault, message, remedy });
