import type { MarkdownPage } from "../../../text/markdown/page.ts";
import {
  classifyDiataxis,
  type DiataxisType,
  diataxisTypeNamed,
  diataxisTypes,
} from "../../../text/software/diataxis.ts";
import { isOpenQuestion } from "../pages/open-question.ts";
import { issueBuilder, type PageIssue } from "./content-issue.ts";

const complianceIssue = issueBuilder("compliance", {
  "other-kind": { type: "warning", confidence: 0.75, suggestedFix: "Move it, or rewrite it." },
  "mixed-kinds": { type: "info", confidence: 0.55, suggestedFix: "Keep one kind on a page." },
  "nothing-to-do": {
    type: "warning",
    confidence: 0.65,
    suggestedFix: "List the steps in order, each with its visible result.",
  },
});

/** Minimum weight of evidence for a kind to count. */
const minKindWeight = 3;

/** Checks that a page matches the kind of its folder and does not mix kinds. */
export function* pageKindIssues(
  file: string,
  lines: readonly string[],
  page: MarkdownPage,
): Generator<PageIssue> {
  const guess = classifyDiataxis(file, lines);
  const folderKindName = folderKind(file);
  const kinds = diataxisTypes
    .map((type) => {
      const signs = guess.evidence.filter((sign) => sign.type === type && isInPageText(sign));
      return { type, signs, weight: signs.reduce((sum, { weight }) => sum + weight, 0) };
    })
    .sort((a, b) => b.weight - a.weight);
  const [first, second] = kinds;
  const ownKind = kinds.find(({ type }) => type === folderKindName);
  const isElsewhere = first && ownKind && first !== ownKind && first.weight >= 2 * ownKind.weight;
  if (folderKindName && isElsewhere && first.weight >= minKindWeight) {
    yield complianceIssue("other-kind", {
      line: first.signs[0]?.line ?? 1,
      description: `It is among ${folderKindName} pages but reads like ${withArticle(first.type)}.`,
      evidence: joinEvidence(first.signs),
      suggestedFix: `Move it to the ${first.type} pages, or write it as ${withArticle(folderKindName)}.`,
    });
  } else if (first && second && second.weight >= minKindWeight) {
    yield complianceIssue("mixed-kinds", {
      line: second.signs[0]?.line ?? 1,
      description: `It mixes ${withArticle(first.type)} with ${withArticle(second.type)}.`,
      evidence: joinEvidence([...first.signs, ...second.signs]),
      suggestedFix: `Keep the ${first.type}, and move the rest to a separate page.`,
    });
  }
  const type = folderKindName ?? (guess.confidence >= 0.5 ? guess.type : "unknown");
  const needsSteps = type === "tutorial" || type === "how-to";
  // A page with open questions is known to be unfinished.
  const hasQuestions = lines.some(isOpenQuestion);
  const lacksSteps = page.codeBlocks.length === 0 && !hasSteps(lines, page) && !hasQuestions;
  if (needsSteps && !isIndexPage(file) && lacksSteps) {
    yield complianceIssue("nothing-to-do", {
      line: page.headings[0]?.line ?? 1,
      description: `This ${type} page has no steps.`,
      evidence: "no steps or commands on the page",
    });
  }
}

/** Evidence in the text of the page. Its path and front matter are only claims. */
const isInPageText = ({ line, seen }: { line: number | null; seen: string }): boolean =>
  line !== null && !seen.startsWith("front matter");

const joinEvidence = (signs: readonly { seen: string }[]): string =>
  signs.map(({ seen }) => seen).join("; ");

/** Numbered steps, list items that begin with a command, or numbered headings. */
const hasSteps = (lines: readonly string[], page: MarkdownPage): boolean =>
  lines.filter((line) => /^ {0,6}\d{1,3}[.)]\s/.test(line)).length >= 2 ||
  lines.some((line) => /^ {0,6}[-*+]\s+`[^` ]+ [^`]+`/.test(line)) ||
  page.headings.some(({ title }) => /^(step\s*)?\d+[.):]?\s/i.test(title));

/** Pages that only link to others. */
export const isIndexPage = (file: string): boolean =>
  /(^|\/)(index|readme|_index)\.[^/]+$/i.test(file);

/** The kind named by the innermost matching folder. */
const folderKind = (file: string): DiataxisType | undefined =>
  file
    .split("/")
    .slice(0, -1)
    .reverse()
    .map(diataxisTypeNamed)
    .find((type) => type !== undefined);

const withArticle = (type: DiataxisType): string =>
  type === "explanation" ? "an explanation" : `a ${type}`;
