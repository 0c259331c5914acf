import { basename, join, posix } from "node:path";
import * as z from "zod";
import { Failure } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { isFolder } from "../../../kernel/paths/file-stat.ts";
import { elementAt } from "../../../text/arrays/element-at.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";
import { parseMarkdownPage } from "../../../text/markdown/page.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { checkContent } from "../content/content-check.ts";
import { toIssueOutput } from "../content/content-issue.ts";
import { envelope, partialFields, partialLine, renderResult, withEnvelope } from "../envelope.ts";
import { findPages, maxPageBytes } from "../pages/page-set.ts";
import { readmeChecks, readmeScore } from "../pages/readme-checks.ts";
import { findImages } from "../pages/readme-format-checks.ts";
import { createRepoTree } from "../repo/repo-tree.ts";
import { markdownFlavour } from "../sites/docs-site.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

/** `validate_content` returns the other findings. */
const maxIssues = 50;

export const analyzeReadme = operation({
  name: "analyze_readme",
  title: "Analyze a README",
  summary:
    "What a README offers a newcomer and what it lacks: a score, checks with evidence and line, broken links and wrong names.",
  input: z.object({
    project_path: z
      .string()
      .min(1)
      .describe("Repository, or the README itself")
      .meta({ path: true }),
  }),
  output: envelope(
    z.looseObject({
      readmePath: z.string(),
      score: z.int(),
      checks: z.array(
        z.looseObject({ id: z.string(), status: z.enum(["pass", "warning", "fail"]) }),
      ),
    }),
  ),
  effect: "reads",
  expose: { mcp: true, http: "POST /repository/readme", cli: "repository readme <project_path>" },
  example: { project_path: "catalogue/readme.qmd.md" },
  run: withEnvelope(async ({ project_path }, state, call) => {
    const path = findReadme(state, project_path);
    const documentation = await findPages(state, path, call);
    const { root, files, folder } = documentation;
    const file = elementAt(files, 0);
    const text = decodeText(state.boundary.readFile(join(root, file), root, maxPageBytes));
    if (text === undefined) throw new Failure("invalid", "not-text", `'${file}' is not text`);
    const lines = splitLines(text.replace(/(\r\n|\n|\r)$/, ""));
    const page = parseMarkdownPage(lines, markdownFlavour(file, undefined));
    const links = { internal: true, anchors: true, isIgnored: () => false };
    const { issues, stoppedAt } = await checkContent(
      state,
      documentation,
      { links, code: true, references: true },
      call,
    );
    const names = createRepoTree(folder, state.boundary).listNames("");
    const checks = readmeChecks({
      lines,
      page,
      names,
      ...(stoppedAt === undefined && { issues }),
    });
    const images = findImages(page);
    const displayed = issues.slice(0, maxIssues);
    const failed = checks.filter(({ status }) => status === "fail");
    return {
      data: {
        readmePath: file,
        score: readmeScore(checks),
        checks,
        summary: {
          lines: lines.length,
          words: text.match(/[\p{L}\p{N}'-]+/gu)?.length ?? 0,
          headings: page.headings.length,
          codeBlocks: page.codeBlocks.length,
          links: page.links.length - images.length,
          images: images.length,
          badges: images.filter(({ destination }) => /shields\.io|badge/i.test(destination ?? ""))
            .length,
        },
        sections: page.headings
          .slice(0, 200)
          .map(({ depth, title, line }) => ({ depth, title, line })),
        issues: displayed.map(toIssueOutput),
        ...(displayed.length < issues.length && {
          truncated: true,
          remaining: issues.length - displayed.length,
        }),
        ...partialFields(stoppedAt),
      },
      recommendations: failed.map(({ id, evidence, recommendation = "" }) => ({
        type: "warning" as const,
        title: `${id}: ${evidence.replace(/\.$/, "")}`,
        description: recommendation,
      })),
      nextSteps:
        displayed.length < issues.length
          ? [{ action: "Show all findings", toolRequired: "validate_content" }]
          : [],
    };
  }),
  present: ({ data, ...advice }) => {
    const lines = data.checks.map(({ id, status, line, evidence }) =>
      toPrintable(
        `${status.padEnd(7)} ${id}${line === undefined ? "" : ` (line ${line})`}: ${evidence}`,
      ),
    );
    return renderResult(
      [
        ...partialLine(data),
        `${data.readmePath}: ${data.score} of 100, ${pluralise(lines.length, "check")}.`,
        ...lines,
      ].join("\n"),
      advice,
    );
  },
});

/** Finds the README of a folder, preferring Markdown. */
function findReadme({ boundary }: RepositoryState, path: string): string {
  const realPath = boundary.resolvePath(path);
  if (!isFolder(realPath)) return path;
  const names = createRepoTree(realPath, boundary)
    .listNames("")
    .filter((name) => /^readme(\.\w+)?$/i.test(name));
  const best = names.find((name) => /\.(md|markdown|mdx)$/i.test(name));
  if (best !== undefined) return posix.join(path, best);
  const [otherFormat] = names;
  throw new Failure(
    "not-found",
    "README_NOT_FOUND",
    otherFormat === undefined
      ? `There is no README in '${basename(path)}'`
      : `'${otherFormat}' is not Markdown, the only supported format`,
    { hints: ["Create a README.md, or pass the file as project_path."] },
  );
}
