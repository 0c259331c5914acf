import * as z from "zod";
import { Failure, timeoutFailure } from "../../../kernel/failure.ts";
import { readExactText } from "../../../kernel/files/file-changes.ts";
import { headCommit } from "../../../kernel/git/git.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { setFrontmatterBlock } from "../../../text/markdown/frontmatter-edits.ts";
import { isMarkdownFile } from "../../../text/software/programming-languages.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { docsScopeOfPages } from "../drift/docs-scope.ts";
import { freshnessBlock, freshnessPresetNames, hasFreshnessDates } from "../drift/freshness.ts";
import { measurePageAges, type PageAge } from "../drift/page-ages.ts";
import { envelope, renderResult, withEnvelope } from "../envelope.ts";
import {
  type PlannedFile,
  renderWriteResult,
  writeFiles,
  writeOptionsShape,
  writeResultShape,
} from "../files/file-writer.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

export const validateFreshness = operation({
  name: "validate_documentation_freshness",
  title: "Date pages",
  summary:
    "Write into the front matter of pages when they were last changed and validated. dry_run shows the diff; nothing else in a page changes.",
  input: z.object({
    docsPath: z.string().min(1).describe("Folder of pages").meta({ path: true }),
    projectPath: z.string().min(1).optional().describe("Repository").meta({ path: true }),
    initializeMissing: z.boolean().default(true).describe("Date pages that have no dates"),
    updateExisting: z.boolean().default(false).describe("Mark dated pages as validated today"),
    updateFrequency: z
      .enum(freshnessPresetNames)
      .default("monthly")
      .meta({ help: "How often pages should be reviewed" }),
    validateAgainstGit: z.boolean().default(true).describe("Include the commit"),
    dry_run: writeOptionsShape.dry_run,
  }),
  output: envelope(
    z.looseObject({
      initialized: z.int(),
      updated: z.int(),
      skipped: z.array(z.looseObject({ file: z.string(), reason: z.string() })),
      ...writeResultShape,
    }),
  ),
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/freshness/validate",
    cli: "repository date <docsPath>",
  },
  example: { docsPath: "handbook", dry_run: true, validateAgainstGit: false },
  run: withEnvelope(async (input, state, call) => {
    const { docsPath, projectPath, initializeMissing, updateExisting, dry_run } = input;
    const subject = docsScopeOfPages(state, docsPath, projectPath);
    const { ages, isUnreadable } = await measurePageAges(
      state,
      subject,
      { comparesCode: false },
      call,
    );
    const head = input.validateAgainstGit
      ? await headCommit(subject.root, state.boundary, call.signal)
      : undefined;
    // Without the git history the written dates would be guesses.
    if (call.signal.aborted)
      throw timeoutFailure("The time limit was reached before every page was dated");
    if (isUnreadable) throw historyUnreadable();
    const files: PlannedFile[] = [];
    const skipped: { file: string; reason: string }[] = [];
    const count = { initialized: 0, updated: 0 };
    for (const age of ages) {
      const { file, lines } = age.page;
      const isDated = hasFreshnessDates(lines);
      if (!(isDated ? updateExisting : initializeMissing)) continue;
      const before = readDatablePage(state.boundary, subject.root, file);
      const dateFields = freshnessFields(age, isDated, { frequency: input.updateFrequency, head });
      const text =
        before === undefined ? undefined : setFrontmatterBlock(before, freshnessBlock, dateFields);
      if (before === undefined || text === undefined) {
        skipped.push({ file, reason: "its front matter cannot be written without loss" });
        continue;
      }
      files.push({ file, text, before });
      count[isDated ? "updated" : "initialized"]++;
    }
    const written = await writeFiles(
      state,
      {
        root: subject.root,
        files,
        operation: "validate_documentation_freshness",
        summary: `Dated ${pluralise(files.length, "page")}`,
        dry_run,
        overwrite: false,
      },
      call,
    );
    return {
      data: { ...count, skipped, ...written },
      nextSteps: [{ action: "Show the ages", toolRequired: "track_documentation_freshness" }],
    };
  }),
  present: ({ data, ...advice }) =>
    renderResult(
      [
        `${pluralise(data.initialized, "page")} dated for the first time, ${data.updated} updated.`,
        renderWriteResult(data),
        ...data.skipped.map(({ file, reason }) => `  skipped    ${file}: ${reason}`),
      ].join("\n"),
      advice,
    ),
});

/**
 * The text of a page that can be dated. Front matter is supported in Markdown only, and pages in
 * encodings other than UTF-8 could be damaged.
 */
function readDatablePage(boundary: Boundary, root: string, file: string): string | undefined {
  if (!isMarkdownFile(file)) return undefined;
  try {
    return readExactText(boundary, root, file);
  } catch (error) {
    if (error instanceof Failure && error.code === "not-utf8") return undefined;
    throw error;
  }
}

function freshnessFields(
  { lastUpdate }: PageAge,
  isDated: boolean,
  { frequency, head }: { frequency: string; head: string | undefined },
): Record<string, string | boolean> {
  return {
    ...(!isDated && { last_updated: new Date(lastUpdate.at).toISOString() }),
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
