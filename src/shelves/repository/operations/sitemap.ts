import { basename, dirname, posix } from "node:path";
import * as z from "zod";
import type { Call } from "../../../kernel/call.ts";
import { Failure, invalid, notFound, undefinedIfNotFound } from "../../../kernel/failure.ts";
import { readExactText } from "../../../kernel/files/file-changes.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { pageByOffset, pagingInputShape } from "../../../kernel/operations/list-page.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { envelope, renderResult, withEnvelope } from "../envelope.ts";
import { resolveOutputFolder, writeFiles, writeOptionsShape } from "../files/file-writer.ts";
import { mergeSitemapEntries } from "../sites/sitemap.ts";
import { changeFrequencies, renderSitemap, validateSitemap } from "../sites/sitemap-format.ts";
import { collectSitemapEntries, compareWithPages } from "../sites/sitemap-pages.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

const input = z.object({
  action: z.enum(["generate", "validate", "update", "list"]).meta({ help: "Action" }),
  docsPath: z.string().min(1).describe("Folder of the pages").meta({ path: true }),
  baseUrl: z
    .string()
    .max(2_000)
    .optional()
    .describe("Address of the site; required to generate and update"),
  includePatterns: z.array(z.string().max(500)).max(50).optional().describe("Globs below docsPath"),
  excludePatterns: z
    .array(z.string().max(500))
    .max(50)
    .optional()
    .meta({ help: "Globs of pages to exclude" }),
  updateFrequency: z
    .enum(changeFrequencies)
    .optional()
    .meta({ help: "How often pages change, for crawlers" }),
  useGitHistory: z.boolean().default(true).describe("Dates of last commits"),
  sitemapPath: z.string().optional().describe("docsPath/sitemap.xml").meta({ path: true }),
  ...writeOptionsShape,
  ...pagingInputShape,
});

type SitemapInput = z.output<typeof input>;

export const manageSitemap = operation({
  name: "manage_sitemap",
  title: "Sitemap",
  summary:
    "Generate, update, validate or list a sitemap.xml for Markdown pages, with the addresses their site generator gives them.",
  input,
  output: envelope(
    z.looseObject({
      sitemapPath: z.string(),
      totalUrls: z.int(),
      problems: z.array(z.looseObject({ line: z.int(), message: z.string() })).optional(),
      urls: z.array(z.looseObject({ loc: z.string() })).optional(),
      diff: z.string().optional(),
    }),
  ),
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/sitemap",
    cli: "repository sitemap <action> <docsPath>",
  },
  example: { action: "generate", docsPath: "handbook", baseUrl: "https://docs.example.org" },
  run: withEnvelope(async (request, state, call) => {
    const sitemapPath = request.sitemapPath ?? posix.join(request.docsPath, "sitemap.xml");
    const writes = request.action === "generate" || request.action === "update";
    const data: SitemapAnswer = writes
      ? await writeSitemapFile(request, sitemapPath, state, call)
      : await inspectSitemap(request, sitemapPath, state, call);
    return {
      data: { ...data, action: request.action, sitemapPath },
      nextSteps: writes ? afterWriting : [],
    };
  }),
  hasFailed: ({ data }) => data.valid === false,
  present: ({ data: { sitemapPath, totalUrls, urls, problems, diff }, ...advice }) => {
    const lines = [
      ...(urls ?? []).map(({ loc }) => loc),
      ...(problems ?? []).map(
        ({ line, message, remedy }) => `${sitemapPath}:${line}: ${message} ${remedy}`,
      ),
    ];
    const head = `${sitemapPath}: ${pluralise(totalUrls, "URL")}${problems ? `, ${pluralise(problems.length, "problem")}` : ""}.`;
    return renderResult(
      [head, ...lines.map(toPrintable), ...(diff ? ["", diff] : [])].join("\n"),
      advice,
    );
  },
});

/** The output common to all actions. */
type SitemapAnswer = { totalUrls: number } & Record<string, unknown>;

const afterWriting = [
  { action: "Check the sitemap", toolRequired: "manage_sitemap", description: "action: validate" },
];

async function writeSitemapFile(
  request: SitemapInput,
  sitemapPath: string,
  state: RepositoryState,
  call: Call,
) {
  const base = parseBaseUrl(request);
  if (base === undefined)
    throw invalid(
      "Missing parameter 'baseUrl': the site's address is required to write its sitemap",
    );
  const { entries: newEntries, skipped } = await collectSitemapEntries(state, request, base, call);
  const { root, below } = resolveOutputFolder(state.boundary, posix.dirname(sitemapPath));
  const file = posix.basename(sitemapPath);
  if (!/\.xml$/i.test(file))
    throw invalid("Invalid parameter 'sitemapPath': the file name must end with .xml");
  const { parseSitemap } = await import("../sites/sitemap-parser.ts");
  const readCurrent = () => readExactText(state.boundary, root, below + file);
  const before = request.action === "update" ? undefinedIfNotFound(readCurrent) : undefined;
  const existing = before === undefined ? undefined : parseSitemap(before);
  if (
    existing &&
    (existing.problems.some(({ rule }) => rule === "not-xml" || rule === "root") ||
      existing.isIndex)
  ) {
    throw new Failure(
      "conflict",
      "not-a-sitemap",
      `'${file}' is not a sitemap that can be updated`,
      {
        hints: ["Generate it again with overwrite: true."],
      },
    );
  }
  const { entries, change } = mergeSitemapEntries(existing?.entries ?? [], newEntries, base);
  const result = await writeFiles(
    state,
    {
      root,
      below,
      files: [{ file, text: renderSitemap(entries), ...(before !== undefined && { before }) }],
      operation: "manage_sitemap",
      summary: `${request.action === "update" ? "Updated" : "Created"} the sitemap ${sitemapPath}`,
      dry_run: request.dry_run,
      overwrite: request.overwrite,
    },
    call,
  );
  const firstItems = (list: readonly string[]): string[] => list.slice(0, 50);
  return {
    totalUrls: entries.length,
    added: change.added.length,
    removed: change.removed.length,
    updated: change.updated.length,
    changes: {
      added: firstItems(change.added),
      removed: firstItems(change.removed),
      updated: firstItems(change.updated),
    },
    pagesLeftOut: skipped,
    ...result,
    diff: truncateDiff(result.diff),
  };
}

/** Truncates a diff: the first lines are enough for a person. */
function truncateDiff(diff: string): string {
  const lines = diff.split("\n");
  const rest = lines.length - maxDiffLines;
  return rest <= 0
    ? diff
    : [...lines.slice(0, maxDiffLines), `… and ${rest} more lines`].join("\n");
}

const maxDiffLines = 400;

/** Validates or lists a sitemap. */
async function inspectSitemap(
  request: SitemapInput,
  sitemapPath: string,
  state: RepositoryState,
  call: Call,
) {
  const realPath = state.boundary.resolvePath(sitemapPath);
  const text = undefinedIfNotFound(() =>
    readExactText(state.boundary, dirname(realPath), basename(realPath)),
  );
  if (text === undefined) throw notFound(`Not found: '${sitemapPath}'.`);
  const { parseSitemap } = await import("../sites/sitemap-parser.ts");
  const sitemap = parseSitemap(text);
  const base = parseBaseUrl(request);
  const { limit, cursor } = request;
  if (request.action === "list") {
    const { items: urls, ...paging } = pageByOffset(sitemap.entries, { limit, cursor });
    return { urls, ...paging, totalUrls: paging.total, isIndex: sitemap.isIndex };
  }
  const allProblems = [
    ...validateSitemap(text, sitemap, base),
    ...(base === undefined || sitemap.isIndex
      ? []
      : await compareWithPages(state, request, base, sitemap.entries, call)),
  ];
  const { items: problems, ...paging } = pageByOffset(allProblems, { limit, cursor });
  return {
    valid: allProblems.length === 0,
    totalUrls: sitemap.entries.length,
    problems,
    ...paging,
  };
}

function parseBaseUrl({ baseUrl }: SitemapInput): string | undefined {
  if (baseUrl === undefined) return undefined;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== "" ||
    url.hash !== "" ||
    url.username !== ""
  ) {
    throw invalid(
      "Invalid parameter 'baseUrl': give a full address such as https://docs.example.org/",
    );
  }
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}
