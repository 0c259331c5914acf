import {
  type DiataxisType,
  diataxisNamed,
  diataxisOf,
  diataxisTypes,
} from "../../text/diataxis.ts";
import type { Page } from "../../text/markdown/page.ts";
import { issuesBy, type PageIssue } from "./content-issue.ts";
import { isQuestion } from "./open-question.ts";

const issue = issuesBy("compliance", {
  "other-kind": { type: "warning", confidence: 0.75, suggestedFix: "Move it, or write it anew." },
  "mixed-kinds": { type: "info", confidence: 0.55, suggestedFix: "Keep one kind on a page." },
  "nothing-to-do": {
    type: "warning",
    confidence: 0.65,
    suggestedFix: "Give the steps in their order, each with what is seen afterwards.",
  },
});

/** Less of a kind's signs than this is no kind of its own. */
const clearWeight = 3;

/** Whether a page is what its place says, and keeps to one kind. */
export function* kindIssues(
  file: string,
  lines: readonly string[],
  page: Page,
): Generator<PageIssue> {
  const guess = diataxisOf(file, lines);
  const place = placeOf(file);
  const kinds = diataxisTypes
    .map((type) => {
      const signs = guess.evidence.filter((sign) => sign.type === type && isWritten(sign));
      return { type, signs, weight: signs.reduce((sum, { weight }) => sum + weight, 0) };
    })
    .sort((a, b) => b.weight - a.weight);
  const [first, second] = kinds;
  const own = kinds.find(({ type }) => type === place);
  const isElsewhere = first && own && first !== own && first.weight >= 2 * own.weight;
  if (place && isElsewhere && first.weight >= clearWeight) {
    yield issue("other-kind", {
      line: first.signs[0]?.line ?? 1,
      description: `It lies among ${place} pages and reads like ${withArticle(first.type)}.`,
      evidence: seenIn(first.signs),
      suggestedFix: `Move it to the ${first.type} pages, or write it as ${withArticle(place)}.`,
    });
  } else if (first && second && second.weight >= clearWeight) {
    yield issue("mixed-kinds", {
      line: second.signs[0]?.line ?? 1,
      description: `It mixes ${withArticle(first.type)} with ${withArticle(second.type)}.`,
      evidence: seenIn([...first.signs, ...second.signs]),
      suggestedFix: `Keep the ${first.type}, and move the rest to a page of its own.`,
    });
  }
  const type = place ?? (guess.confidence >= 0.5 ? guess.type : "unknown");
  const isForDoing = type === "tutorial" || type === "how-to";
  // A page that asks for its steps knows that they are missing.
  const isAsking = lines.some(isQuestion);
  const hasNone = page.codes.length === 0 && !hasSteps(lines, page) && !isAsking;
  if (isForDoing && !isIndex(file) && hasNone) {
    yield issue("nothing-to-do", {
      line: page.headings[0]?.line ?? 1,
      description: `There is nothing to do in ${withArticle(type)}.`,
      evidence: "no steps or commands on the page",
    });
  }
}

/** What the page itself shows; where it lies and what its author calls it are claims. */
const isWritten = ({ line, seen }: { line: number | null; seen: string }): boolean =>
  line !== null && !seen.startsWith("front matter");

const seenIn = (signs: readonly { seen: string }[]): string =>
  signs.map(({ seen }) => seen).join("; ");

/** Steps by their numbers, or a list whose items begin with a command. */
const hasSteps = (lines: readonly string[], page: Page): boolean =>
  lines.filter((line) => /^ {0,6}\d{1,3}[.)]\s/.test(line)).length >= 2 ||
  lines.some((line) => /^ {0,6}[-*+]\s+`[^` ]+ [^`]+`/.test(line)) ||
  page.headings.some(({ title }) => /^(step\s*)?\d+[.):]?\s/i.test(title));

/** Pages that only lead to others. */
export const isIndex = (file: string): boolean => /(^|\/)(index|readme|_index)\.[^/]+$/i.test(file);

/** The kind that the innermost folder names. */
const placeOf = (file: string): DiataxisType | undefined =>
  file
    .split("/")
    .slice(0, -1)
    .reverse()
    .map(diataxisNamed)
    .find((type) => type !== undefined);

const withArticle = (type: DiataxisType): string =>
  type === "explanation" ? "an explanation" : `a ${type}`;
