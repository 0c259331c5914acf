import * as z from "zod";
import { bounded, pagingShape } from "../../../kernel/bounded.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { readExpression } from "../../../text/linear-expression.ts";
import { visible } from "../../../text/visible.ts";
import { pagesAt } from "../doc-pages.ts";
import { answering, envelope, partialLine, partially, type Said, told } from "../envelope.ts";
import { type CheckedLink, checkLinks, type LinkReport } from "../link-check.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsOn<RepositoryState>();

const Shown = z.looseObject({
  url: z.string(),
  status: z.enum(["valid", "broken", "warning", "skipped"]),
  sourceFile: z.string(),
  lineNumber: z.int(),
});

export const checkDocumentationLinks = operation({
  name: "check_documentation_links",
  title: "Check links",
  summary:
    "Check every link of Markdown pages: files, anchors, lines, references, images. Outside links only where a person allows it.",
  input: z.object({
    documentation_path: z
      .string()
      .default("./docs")
      .describe("Folder or page")
      .meta({ path: true }),
    check_internal_links: z.boolean().default(true).meta({ says: "Look for the files" }),
    check_anchor_links: z.boolean().default(true).meta({ says: "Look for headings and lines" }),
    check_external_links: z
      .boolean()
      .default(false)
      .meta({ says: "Ask the web too, where LECTERN_ALLOW_NETWORK=1 allows it" }),
    timeout_ms: z
      .int()
      .min(1_000)
      .max(30_000)
      .default(5_000)
      .meta({ says: "How long to wait for one address, in milliseconds" }),
    max_concurrent_checks: z
      .int()
      .min(1)
      .max(20)
      .default(5)
      .meta({ says: "How many addresses to ask at once" }),
    allowed_domains: z.array(z.string().max(253)).max(200).default([]).describe("Ask only these"),
    ignore_patterns: z
      .array(z.string().max(500))
      .max(50)
      .default([])
      .describe("Regular expressions"),
    fail_on_broken_links: z
      .boolean()
      .default(false)
      .meta({ says: "Fail instead of reporting, where one is broken" }),
    output_format: z
      .enum(["summary", "detailed", "json"])
      .default("detailed")
      .describe("Numbers, problems, or every link"),
    ...pagingShape,
  }),
  output: envelope(
    z.looseObject({
      summary: z.looseObject({ totalLinks: z.int(), brokenLinks: z.int() }),
      results: z.array(Shown),
      remaining: z.int().optional(),
      next_cursor: z.string().optional(),
    }),
  ),
  effect: "reads",
  network: true,
  expose: {
    mcp: true,
    http: "POST /repository/links",
    cli: "repository links [documentation_path]",
  },
  example: { documentation_path: "handbook" },
  run: answering(async (input, state, call) => {
    const started = performance.now();
    const folder = input.documentation_path;
    const documentation = await pagesAt(state, folder, "documentation_path", call);
    const isAsked = input.check_external_links && state.settings.allowNetwork;
    const options = {
      internal: input.check_internal_links,
      anchors: input.check_anchor_links,
      isIgnored: ignoredBy(input.ignore_patterns),
      ...(isAsked && {
        outside: {
          timeoutMs: input.timeout_ms,
          concurrency: input.max_concurrent_checks,
          mayAskHost: hostsAmong(input.allowed_domains),
        },
      }),
    };
    const report = await checkLinks(state, documentation, options, call);
    const summary = summaryOf(report, Math.round(performance.now() - started));
    if (input.fail_on_broken_links && summary.brokenLinks > 0) throw brokenFound(report, summary);
    const chosen = { json: () => true, detailed: isProblem, summary: () => false }[
      input.output_format
    ];
    const { items, ...paging } = bounded(numbered(report.links.filter(chosen)), {
      limit: input.limit,
      cursor: input.cursor,
      keyOf: ({ key }) => key,
    });
    return {
      data: {
        summary,
        results: items.map(({ link }) => shownLink(link)),
        ...paging,
        configuration: {
          documentationSystem: report.site?.system ?? null,
          externalLinksAllowed: state.settings.allowNetwork,
          externalLinksChecked: isAsked,
        },
        ...(report.problems.length > 0 && { unreadable: report.problems.slice(0, 50) }),
        ...partially(report.stoppedAt),
      },
      ...advice(summary, input.check_external_links && !state.settings.allowNetwork),
    };
  }),
  hasFailed: ({ data }) => data.summary.brokenLinks > 0,
  present: ({ data, ...said }) => {
    const { summary, results, remaining = 0 } = data;
    const lines = results.map((link) => visible(lineFor(link)));
    const head = `${counted(summary.totalLinks, "link")}, ${summary.brokenLinks} broken.`;
    const rest = remaining > 0 ? [`… and ${remaining} more.`] : [];
    return told([...partialLine(data), head, ...lines, ...rest].join("\n"), said);
  },
});

type Summary = ReturnType<typeof summaryOf>;

function summaryOf({ links, filesScanned }: LinkReport, executionTime: number) {
  const count = (status: CheckedLink["verdict"]["status"]): number =>
    links.filter(({ verdict }) => verdict.status === status).length;
  return {
    totalLinks: links.length,
    validLinks: count("valid"),
    brokenLinks: count("broken"),
    warningLinks: count("warning"),
    skippedLinks: count("skipped"),
    filesScanned,
    executionTime,
  };
}

const isProblem = ({ verdict }: CheckedLink): boolean => "fault" in verdict;

/** Links in the order of their keys, so that a page of them can be gone on with. */
function numbered(links: readonly CheckedLink[]): { key: string; link: CheckedLink }[] {
  const digits = (value: number): string => String(value).padStart(8, "0");
  return links.map((link, index) => ({
    key: `${link.file}\0${digits(link.line)}${digits(index)}`,
    link,
  }));
}

/** What is told of one link. */
function shownLink({ file, line, destination, written, definedAt, kind, verdict }: CheckedLink) {
  const { status, type, url, statusCode, responseTime } = verdict;
  return {
    url: destination ?? "",
    status,
    sourceFile: file,
    lineNumber: line,
    linkType: kind === "image" ? "image" : type,
    ...("fault" in verdict && {
      rule: verdict.fault,
      error: verdict.message,
      evidence: definedAt === undefined ? written : `${written}, defined in line ${definedAt}`,
      suggestion: verdict.remedy(),
    }),
    ...(verdict.status === "skipped" && { reason: verdict.why }),
    ...(url !== undefined && statusCode !== undefined && { statusCode }),
    ...(responseTime !== undefined && { responseTime }),
  };
}

const lineFor = (link: z.output<typeof Shown>): string => {
  const place = `${link.sourceFile}:${link.lineNumber}: ${link.status}`;
  if (link.error !== undefined) return `${place} ${link.rule}: ${link.error} ${link.suggestion}`;
  return link.reason === undefined
    ? `${place} ${link.url}`
    : `${place} ${link.url}: ${link.reason}`;
};

function ignoredBy(patterns: readonly string[]): (destination: string) => boolean {
  const expressions = patterns.map((pattern) => {
    try {
      return readExpression(pattern);
    } catch (error) {
      const reason = error instanceof Error ? error.message : "it cannot be read";
      throw invalid(
        `Invalid parameter 'ignore_patterns': '${pattern}' is no expression: ${reason}`,
      );
    }
  });
  return (destination) => expressions.some((one) => one.starts(destination, 1).length > 0);
}

/** A domain stands for all below it; without any, every host may be asked. */
function hostsAmong(domains: readonly string[]): (host: string) => boolean {
  const names = domains.map((domain) => domain.toLowerCase().replace(/^\*?\./, ""));
  return (host) =>
    names.length === 0 || names.some((name) => host === name || host.endsWith(`.${name}`));
}

function brokenFound({ links }: LinkReport, summary: Summary): Failure {
  const broken = links.filter(({ verdict }) => verdict.status === "broken");
  const first = broken
    .slice(0, 10)
    .map(({ file, line, destination }) => `${file}:${line} ${destination ?? ""}`);
  return new Failure(
    "conflict",
    "BROKEN_LINKS_FOUND",
    `${counted(summary.brokenLinks, "broken link")} found`,
    { hints: first, details: { summary } },
  );
}

function advice(
  summary: Summary,
  isHeldBack: boolean,
): Pick<Said<unknown>, "recommendations" | "nextSteps"> {
  return {
    recommendations: [
      ...(summary.brokenLinks > 0
        ? [
            {
              type: "critical" as const,
              title: `${counted(summary.brokenLinks, "link")} broken`,
              description: "Each result names file, line and a remedy.",
            },
          ]
        : []),
      ...(isHeldBack
        ? [
            {
              type: "info" as const,
              title: "Outside links were not checked",
              description:
                "A person allows it by starting the server with LECTERN_ALLOW_NETWORK=1.",
            },
          ]
        : []),
    ],
  };
}
