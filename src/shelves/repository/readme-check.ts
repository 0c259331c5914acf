import type { Page } from "../../text/markdown/page.ts";
import type { ContentIssue } from "./content-issue.ts";

/** One question to a README, and its answer. A type, since an answer may hold more fields. */
export type ReadmeCheck = {
  id: string;
  status: "pass" | "warning" | "fail";
  /** How much it counts. */
  weight: number;
  line?: number;
  evidence: string;
  recommendation?: string;
};

export interface ReadmeSight {
  lines: readonly string[];
  page: Page;
  /** Names in the folder of the README. */
  names: readonly string[];
  /** What links, code and mentions were found to be wrong; left out where not all were seen. */
  issues?: readonly ContentIssue[];
}

export const pass = (id: string, weight: number, evidence: string, line?: number): ReadmeCheck => ({
  id,
  status: "pass",
  weight,
  evidence,
  ...(line !== undefined && { line }),
});

export const lack = (
  id: string,
  weight: number,
  status: "warning" | "fail",
  evidence: string,
  recommendation: string,
  line?: number,
): ReadmeCheck => ({
  id,
  status,
  weight,
  evidence,
  recommendation,
  ...(line !== undefined && { line }),
});
