import { basename, join, posix } from "node:path";
import * as z from "zod";
import { Failure } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { isFolder } from "../../../kernel/path-kind.ts";
import { counted } from "../../../text/counted.ts";
import { decode } from "../../../text/decoding.ts";
import { linesOf } from "../../../text/lines.ts";
import { readPage } from "../../../text/markdown/page.ts";
import { visible } from "../../../text/visible.ts";
import { checkContent } from "../content-check.ts";
import { shownIssue } from "../content-issue.ts";
import { documentationAt, longestPage } from "../doc-pages.ts";
import { flavourOf } from "../docs-site.ts";
import { answering, envelope, partialLine, partially, told } from "../envelope.ts";
import { readmeChecks, readmeScore } from "../readme.ts";
import { picturesIn } from "../readme-form.ts";
import { openTree } from "../repository-tree.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsOn<RepositoryState>();

/** More findings than this are for `validate_content`. */
const mostIssues = 50;

export const analyzeReadme = operation({
  name: "analyze_readme",
  title: "Judge a README",
  summary:
    "What a README tells a newcomer and what it lacks: a score, checks with evidence and line, broken links and wrong names.",
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
  run: answering(async ({ project_path }, state, call) => {
    const path = readmeAt(state, project_path);
    const documentation = await documentationAt(state, path, call);
    const { root, files, folder } = documentation;
    const [file = ""] = files;
    const text = decode(state.boundary.readFile(join(root, file), root, longestPage));
    if (text === undefined) throw new Failure("invalid", "not-text", `'${file}' is no text`);
    const lines = linesOf(text.replace(/(\r\n|\n|\r)$/, ""));
    const page = readPage(lines, flavourOf(file, undefined));
    const links = { internal: true, anchors: true, isIgnored: () => false };
    const { issues, stoppedAt } = await checkContent(
      state,
      documentation,
      { links, code: true, references: true },
      call,
    );
    const names = openTree(folder, state.boundary).names("");
    const checks = readmeChecks({
      lines,
      page,
      names,
      ...(stoppedAt === undefined && { issues }),
    });
    const pictures = picturesIn(page);
    const shown = issues.slice(0, mostIssues);
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
          codeBlocks: page.codes.length,
          links: page.links.length - pictures.length,
          images: pictures.length,
          badges: pictures.filter(({ destination }) => /shields\.io|badge/i.test(destination ?? ""))
            .length,
        },
        sections: page.headings
          .slice(0, 200)
          .map(({ depth, title, line }) => ({ depth, title, line })),
        issues: shown.map(shownIssue),
        ...(shown.length < issues.length && {
          truncated: true,
          remaining: issues.length - shown.length,
        }),
        ...partially(stoppedAt),
      },
      recommendations: failed.map(({ id, evidence, recommendation = "" }) => ({
        type: "warning" as const,
        title: `${id}: ${evidence.replace(/\.$/, "")}`,
        description: recommendation,
      })),
      nextSteps:
        shown.length < issues.length
          ? [{ action: "See all findings", toolRequired: "validate_content" }]
          : [],
    };
  }),
  present: ({ data, ...said }) => {
    const lines = data.checks.map(({ id, status, line, evidence }) =>
      visible(
        `${status.padEnd(7)} ${id}${line === undefined ? "" : ` (line ${line})`}: ${evidence}`,
      ),
    );
    return told(
      [
        ...partialLine(data),
        `${data.readmePath}: ${data.score} of 100, ${counted(lines.length, "check")}.`,
        ...lines,
      ].join("\n"),
      said,
    );
  },
});

/** The README of a folder as a caller would name it; Markdown goes before other forms. */
function readmeAt({ boundary }: RepositoryState, given: string): string {
  const place = boundary.enter(given);
  if (!isFolder(place)) return given;
  const names = openTree(place, boundary)
    .names("")
    .filter((name) => /^readme(\.\w+)?$/i.test(name));
  const best = names.find((name) => /\.(md|markdown|mdx)$/i.test(name));
  if (best !== undefined) return posix.join(given, best);
  const [other] = names;
  throw new Failure(
    "not-found",
    "README_NOT_FOUND",
    other === undefined
      ? `There is no README in '${basename(given)}'`
      : `'${other}' is no Markdown, which is all that can be judged`,
    { hints: ["Make a README.md, or name the file as project_path."] },
  );
}
