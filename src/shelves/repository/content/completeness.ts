import type { MarkdownPage } from "../../../text/markdown/page.ts";
import { isOpenQuestion } from "../pages/open-question.ts";
import { issueBuilder, type PageIssue } from "./content-issue.ts";

const completenessIssue = issueBuilder("completeness", {
  "empty-page": { type: "error", confidence: 0.95, suggestedFix: "Write it, or remove it." },
  "empty-section": {
    type: "warning",
    confidence: 0.9,
    suggestedFix: "Write it, or remove the heading.",
  },
  unfinished: {
    type: "warning",
    confidence: 0.8,
    suggestedFix: "Write it, or remove the note.",
  },
});

/** Finds empty pages, empty sections and notes about unfinished text. */
export function* completenessIssues(page: MarkdownPage): Generator<PageIssue> {
  if (page.leaves.every(({ kind }) => kind === "heading")) {
    const evidence = page.headings.map(({ title }) => title).join("; ") || "no text";
    const description = "The page contains nothing but headings.";
    yield completenessIssue("empty-page", { line: 1, description, evidence });
    return;
  }
  yield* emptySections(page);
  for (const { kind, line, lines } of page.leaves) {
    if (kind !== "paragraph") continue;
    for (const [index, text] of lines.entries()) {
      if (isOpenQuestion(text) || !isTodoNote(text.slice(0, 2_000))) continue;
      yield completenessIssue("unfinished", {
        line: line + index,
        description: "The text is unfinished.",
        evidence: text.trim().slice(0, 120),
      });
    }
  }
}

/** Headings followed by neither text nor a subheading. */
function* emptySections({ headings, leaves }: MarkdownPage): Generator<PageIssue> {
  const bodies = leaves.filter(({ kind }) => kind !== "heading").map(({ line }) => line);
  const headingLines = new Set(
    leaves.filter(({ kind }) => kind === "heading").map(({ line }) => line),
  );
  let nextBody = 0;
  for (const [index, { line, depth, title }] of headings.entries()) {
    // An HTML heading may share its block with the text below it.
    if (!headingLines.has(line)) continue;
    const next = headings[index + 1];
    while ((bodies[nextBody] ?? Number.POSITIVE_INFINITY) <= line) nextBody++;
    const isEmpty =
      (bodies[nextBody] ?? Number.POSITIVE_INFINITY) > (next?.line ?? Number.MAX_VALUE);
    if (isEmpty && (!next || next.depth <= depth)) {
      yield completenessIssue("empty-section", {
        line,
        description: `The section '${title}' is empty.`,
        evidence: title,
      });
    }
  }
}

/** `TODO` in capitals only: `todo` is a word in some languages. */
const isTodoNote = (text: string): boolean =>
  /\b(TODO|TBD|FIXME|XXX)\b/.test(text) ||
  /\b(coming soon|to be (written|done|added)|lorem ipsum)\b/i.test(text);
