import * as z from "zod";
import type { Boundary } from "../../../kernel/boundary.ts";
import { Failure, outOfTime } from "../../../kernel/failure.ts";
import { exactText } from "../../../kernel/file-exchange.ts";
import { headOf } from "../../../kernel/git.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { withBlock } from "../../../text/frontmatter-block.ts";
import { isMarkdown } from "../../../text/languages.ts";
import { answering, envelope, told } from "../envelope.ts";
import { block, keepsDates, presetNames } from "../freshness.ts";
import { type PageAge, pageAges } from "../page-ages.ts";
import type { RepositoryState } from "../state.ts";
import { subjectOfPages } from "../subject.ts";
import {
  type PlannedFile,
  writeFiles,
  writingInput,
  writtenShape,
  writtenText,
} from "../writing.ts";

const operation = operationsOn<RepositoryState>();

export const validateFreshness = operation({
  name: "validate_documentation_freshness",
  title: "Date pages",
  summary:
    "Write into the front matter of pages when they were changed and found right. dry_run shows the difference; nothing else of a page is touched.",
  input: z.object({
    docsPath: z.string().min(1).describe("Folder of pages").meta({ path: true }),
    projectPath: z.string().min(1).optional().describe("Repository").meta({ path: true }),
    initializeMissing: z.boolean().default(true).describe("Date pages that have no dates"),
    updateExisting: z.boolean().default(false).describe("Say that dated pages are right today"),
    updateFrequency: z
      .enum(presetNames)
      .default("monthly")
      .meta({ says: "How often pages should be looked at" }),
    validateAgainstGit: z.boolean().default(true).describe("Name the commit"),
    dry_run: writingInput.dry_run,
  }),
  output: envelope(
    z.looseObject({
      initialized: z.int(),
      updated: z.int(),
      skipped: z.array(z.looseObject({ file: z.string(), reason: z.string() })),
      ...writtenShape,
    }),
  ),
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/freshness/validate",
    cli: "repository date <docsPath>",
  },
  example: { docsPath: "handbook", dry_run: true, validateAgainstGit: false },
  run: answering(async (input, state, call) => {
    const { docsPath, projectPath, initializeMissing, updateExisting, dry_run } = input;
    const subject = subjectOfPages(state, docsPath, projectPath);
    const { ages, isUnreadable } = await pageAges(state, subject, { comparesCode: false }, call);
    const head = input.validateAgainstGit
      ? await headOf(subject.root, state.boundary, call.signal)
      : undefined;
    // Without git's answer the dates would be guesses, and they are written down.
    if (call.signal.aborted) throw outOfTime("The time was over before every page was dated");
    if (isUnreadable) throw historyUnreadable();
    const files: PlannedFile[] = [];
    const skipped: { file: string; reason: string }[] = [];
    const count = { initialized: 0, updated: 0 };
    for (const age of ages) {
      const { file, lines } = age.page;
      const isDated = keepsDates(lines);
      if (!(isDated ? updateExisting : initializeMissing)) continue;
      const before = textToDate(state.boundary, subject.root, file);
      const values = datesOf(age, isDated, { frequency: input.updateFrequency, head });
      const text = before === undefined ? undefined : withBlock(before, block, values);
      if (before === undefined || text === undefined) {
        skipped.push({ file, reason: "its front matter cannot be written without a loss" });
        continue;
      }
      files.push({ file, text, before });
      count[isDated ? "updated" : "initialized"]++;
    }
    const written = writeFiles(
      state,
      {
        root: subject.root,
        files,
        operation: "validate_documentation_freshness",
        summary: `Dated ${counted(files.length, "page")}`,
        dry_run,
        overwrite: false,
      },
      call,
    );
    return {
      data: { ...count, skipped, ...written },
      nextSteps: [{ action: "See the ages", toolRequired: "track_documentation_freshness" }],
    };
  }),
  present: ({ data, ...said }) =>
    told(
      [
        `${counted(data.initialized, "page")} dated for the first time, ${data.updated} anew.`,
        writtenText(data),
        ...data.skipped.map(({ file, reason }) => `  skipped    ${file}: ${reason}`),
      ].join("\n"),
      said,
    ),
});

/**
 * The text of a page that can be dated. Front matter is read by what publishes Markdown, and would be
 * text on other pages; a page in another encoding would lose its letters.
 */
function textToDate(boundary: Boundary, root: string, file: string): string | undefined {
  if (!isMarkdown(file)) return undefined;
  try {
    return exactText(boundary, root, file);
  } catch (error) {
    if (error instanceof Failure && error.code === "not-utf8") return undefined;
    throw error;
  }
}

function datesOf(
  { touched }: PageAge,
  isDated: boolean,
  { frequency, head }: { frequency: string; head: string | undefined },
): Record<string, string | boolean> {
  return {
    ...(!isDated && { last_updated: new Date(touched.at).toISOString() }),
    last_validated: new Date().toISOString(),
    ...(!isDated && { update_frequency: frequency }),
    ...(head !== undefined && { validated_against_commit: head }),
    ...(!isDated && { auto_updated: false }),
  };
}

const historyUnreadable = (): Failure =>
  new Failure("conflict", "history-unreadable", "The repository's git history cannot be read.", {
    hints: ["Check that .git/config is a regular file that git can parse."],
  });
