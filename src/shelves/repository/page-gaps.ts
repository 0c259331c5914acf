import type { Page } from "../../text/markdown/page.ts";
import { issuesBy, type PageIssue } from "./content-issue.ts";
import { isQuestion } from "./open-question.ts";

const issue = issuesBy("completeness", {
  "empty-page": { type: "error", confidence: 0.95, suggestedFix: "Write it, or take it away." },
  "empty-section": {
    type: "warning",
    confidence: 0.9,
    suggestedFix: "Write it, or take the heading away.",
  },
  unfinished: {
    type: "warning",
    confidence: 0.8,
    suggestedFix: "Write it, or take the note away.",
  },
});

/** Whether a page says what its headings promise. */
export function* gapIssues(page: Page): Generator<PageIssue> {
  if (page.leaves.every(({ kind }) => kind === "heading")) {
    const evidence = page.headings.map(({ title }) => title).join("; ") || "no text";
    const description = "The page holds nothing but headings.";
    yield issue("empty-page", { line: 1, description, evidence });
    return;
  }
  yield* emptySections(page);
  for (const { kind, line, lines } of page.leaves) {
    if (kind !== "paragraph") continue;
    for (const [index, text] of lines.entries()) {
      if (isQuestion(text) || !isNote(text.slice(0, 2_000))) continue;
      yield issue("unfinished", {
        line: line + index,
        description: "Something is left to be written.",
        evidence: text.trim().slice(0, 120),
      });
    }
  }
}

/** Headings with nothing below them, be it text or a heading of a lower level. */
function* emptySections({ headings, leaves }: Page): Generator<PageIssue> {
  const bodies = leaves.filter(({ kind }) => kind !== "heading").map(({ line }) => line);
  const own = new Set(leaves.filter(({ kind }) => kind === "heading").map(({ line }) => line));
  let body = 0;
  for (const [index, { line, depth, title }] of headings.entries()) {
    // What stands below a heading of HTML may be in the same block.
    if (!own.has(line)) continue;
    const next = headings[index + 1];
    while ((bodies[body] ?? Number.POSITIVE_INFINITY) <= line) body++;
    const isBare = (bodies[body] ?? Number.POSITIVE_INFINITY) > (next?.line ?? Number.MAX_VALUE);
    if (isBare && (!next || next.depth <= depth)) {
      yield issue("empty-section", {
        line,
        description: `The section '${title}' is empty.`,
        evidence: title,
      });
    }
  }
}

/** `TODO` in capitals only, since a word may begin like it in some language. */
const isNote = (text: string): boolean =>
  /\b(TODO|TBD|FIXME|XXX)\b/.test(text) ||
  /\b(coming soon|to be (written|done|added)|lorem ipsum)\b/i.test(text);
