import * as z from "zod";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { pageByKey, pagingInputShape } from "../../../kernel/operations/list-page.ts";
import { readRegex } from "../../../text/patterns/regex.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import {
  envelope,
  partialFields,
  partialLine,
  renderResult,
  type ToolResult,
  withEnvelope,
} from "../envelope.ts";
import { type CheckedLink, checkLinks, type LinkReport } from "../links/link-check.ts";
import { requirePages } from "../pages/page-set.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

const linkOutput = z.looseObject({
  url: z.string(),
  status: z.enum(["valid", "broken", "warning", "skipped"]),
  sourceFile: z.string(),
  lineNumber: z.int(),
});

export const checkDocumentationLinks = operation({
  name: "check_documentation_links",
  title: "Check links",
  summary:
    "Check every link of Markdown pages: files, anchors, lines, references, images. External links only if a person allows it.",
  input: z.object({
    documentation_path: z
      .string()
      .default("./docs")
      .describe("Folder or page")
      .meta({ path: true }),
    check_internal_links: z.boolean().default(true).meta({ help: "Check that linked files exist" }),
    check_anchor_links: z.boolean().default(true).meta({ help: "Check headings and lines" }),
    check_external_links: z
      .boolean()
      .default(false)
      .meta({ help: "Check web addresses too, if LECTERN_ALLOW_NETWORK=1 is set" }),
    timeout_ms: z
      .int()
      .min(1_000)
      .max(30_000)
      .default(5_000)
      .meta({ help: "Timeout for one address, in milliseconds" }),
    max_concurrent_checks: z
      .int()
      .min(1)
      .max(20)
      .default(5)
      .meta({ help: "Number of parallel requests" }),
    allowed_domains: z
      .array(z.string().max(253))
      .max(200)
      .default([])
      .describe("Only these domains"),
    ignore_patterns: z
      .array(z.string().max(500))
      .max(50)
      .default([])
      .describe("Regular expressions"),
    fail_on_broken_links: z.boolean().default(false).meta({ help: "Fail if a link is broken" }),
    output_format: z
      .enum(["summary", "detailed", "json"])
      .default("detailed")
      .describe("Counts, problems, or every link"),
    ...pagingInputShape,
  }),
  output: envelope(
    z.looseObject({
      summary: z.looseObject({ totalLinks: z.int(), brokenLinks: z.int() }),
      results: z.array(linkOutput),
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
  run: withEnvelope(async (input, state, call) => {
    const started = performance.now();
    const folder = input.documentation_path;
    const documentation = await requirePages(state, folder, "documentation_path", call);
    const checksExternal = input.check_external_links && state.settings.allowNetwork;
    const options = {
      internal: input.check_internal_links,
      anchors: input.check_anchor_links,
      isIgnored: createIgnoreFilter(input.ignore_patterns),
      ...(checksExternal && {
        outside: {
          timeoutMs: input.timeout_ms,
          concurrency: input.max_concurrent_checks,
          isHostAllowed: createHostFilter(input.allowed_domains),
        },
      }),
    };
    const report = await checkLinks(state, documentation, options, call);
    const summary = linkSummary(report, Math.round(performance.now() - started));
    if (input.fail_on_broken_links && summary.brokenLinks > 0)
      throw brokenLinksFailure(report, summary);
    const isIncluded = { json: () => true, detailed: isProblem, summary: () => false }[
      input.output_format
    ];
    const { items, ...paging } = pageByKey(withPageKeys(report.links.filter(isIncluded)), {
      limit: input.limit,
      cursor: input.cursor,
      keyOf: ({ key }) => key,
    });
    return {
      data: {
        summary,
        results: items.map(({ link }) => toLinkOutput(link)),
        ...paging,
        configuration: {
          documentationSystem: report.site?.system ?? null,
          externalLinksAllowed: state.settings.allowNetwork,
          externalLinksChecked: checksExternal,
        },
        ...(report.problems.length > 0 && { unreadable: report.problems.slice(0, 50) }),
        ...partialFields(report.stoppedAt),
      },
      ...linkAdvice(summary, input.check_external_links && !state.settings.allowNetwork),
    };
  }),
  hasFailed: ({ data }) => data.summary.brokenLinks > 0,
  present: ({ data, ...advice }) => {
    const { summary, results, remaining = 0 } = data;
    const lines = results.map((link) => toPrintable(renderLink(link)));
    const head = `${pluralise(summary.totalLinks, "link")}, ${summary.brokenLinks} broken.`;
    const rest = remaining > 0 ? [`… and ${remaining} more.`] : [];
    return renderResult([...partialLine(data), head, ...lines, ...rest].join("\n"), advice);
  },
});

type Summary = ReturnType<typeof linkSummary>;

function linkSummary({ links, filesScanned }: LinkReport, executionTime: number) {
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

/** Adds sortable keys to links for paging. */
function withPageKeys(links: readonly CheckedLink[]): { key: string; link: CheckedLink }[] {
  const digits = (value: number): string => String(value).padStart(8, "0");
  return links.map((link, index) => ({
    key: `${link.file}\0${digits(link.line)}${digits(index)}`,
    link,
  }));
}

/** The output form of a link. */
function toLinkOutput({ file, line, destination, written, definedAt, kind, verdict }: CheckedLink) {
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

const renderLink = (link: z.output<typeof linkOutput>): string => {
  const prefix = `${link.sourceFile}:${link.lineNumber}: ${link.status}`;
  if (link.error !== undefined) return `${prefix} ${link.rule}: ${link.error} ${link.suggestion}`;
  return link.reason === undefined
    ? `${prefix} ${link.url}`
    : `${prefix} ${link.url}: ${link.reason}`;
};

function createIgnoreFilter(patterns: readonly string[]): (destination: string) => boolean {
  const expressions = patterns.map((pattern) => {
    try {
      return readRegex(pattern);
    } catch (error) {
      const reason = error instanceof Error ? error.message : "it cannot be parsed";
      throw invalid(
        `Invalid parameter 'ignore_patterns': '${pattern}' is not a valid expression: ${reason}`,
      );
    }
  });
  return (destination) => expressions.some((one) => one.starts(destination, 1).length > 0);
}

/** A domain includes its subdomains; an empty list allows every host. */
function createHostFilter(domains: readonly string[]): (host: string) => boolean {
  const names = domains.map((domain) => domain.toLowerCase().replace(/^\*?\./, ""));
  return (host) =>
    names.length === 0 || names.some((name) => host === name || host.endsWith(`.${name}`));
}

function brokenLinksFailure({ links }: LinkReport, summary: Summary): Failure {
  const broken = links.filter(({ verdict }) => verdict.status === "broken");
  const first = broken
    .slice(0, 10)
    .map(({ file, line, destination }) => `${file}:${line} ${destination ?? ""}`);
  return new Failure(
    "conflict",
    "BROKEN_LINKS_FOUND",
    `${pluralise(summary.brokenLinks, "broken link")} found`,
    { hints: first, details: { summary } },
  );
}

function linkAdvice(
  summary: Summary,
  isExternalDisabled: boolean,
): Pick<ToolResult<unknown>, "recommendations" | "nextSteps"> {
  return {
    recommendations: [
      ...(summary.brokenLinks > 0
        ? [
            {
              type: "critical" as const,
              title: `${pluralise(summary.brokenLinks, "link")} broken`,
              description: "Each result has file, line and a fix.",
            },
          ]
        : []),
      ...(isExternalDisabled
        ? [
            {
              type: "info" as const,
              title: "External links were not checked",
              description: "To allow it, start the server with LECTERN_ALLOW_NETWORK=1.",
            },
          ]
        : []),
    ],
  };
}
