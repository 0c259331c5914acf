import { basename, dirname, posix } from "node:path";
import * as z from "zod";
import { boundedByPlace, pagingShape } from "../../../kernel/bounded.ts";
import type { Call } from "../../../kernel/call.ts";
import { Failure, ifThere, invalid, notFound } from "../../../kernel/failure.ts";
import { exactText } from "../../../kernel/file-exchange.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { visible } from "../../../text/visible.ts";
import { answering, envelope, told } from "../envelope.ts";
import { updatedEntries } from "../sitemap.ts";
import { againstPages, siteEntries } from "../sitemap-pages.ts";
import { changeFrequencies, sitemapProblems, writeSitemap } from "../sitemap-protocol.ts";
import type { RepositoryState } from "../state.ts";
import { folderToWrite, writeFiles, writingInput } from "../writing.ts";

const operation = operationsOn<RepositoryState>();

const input = z.object({
  action: z.enum(["generate", "validate", "update", "list"]).meta({ says: "What to do with it" }),
  docsPath: z.string().min(1).describe("Folder of the pages").meta({ path: true }),
  baseUrl: z.string().max(2_000).optional().describe("The site's address; to generate and update"),
  includePatterns: z.array(z.string().max(500)).max(50).optional().describe("Globs below docsPath"),
  excludePatterns: z
    .array(z.string().max(500))
    .max(50)
    .optional()
    .meta({ says: "Globs of pages to leave out" }),
  updateFrequency: z
    .enum(changeFrequencies)
    .optional()
    .meta({ says: "How often pages change, as crawlers are told" }),
  useGitHistory: z.boolean().default(true).describe("Dates of last commits"),
  sitemapPath: z.string().optional().describe("docsPath/sitemap.xml").meta({ path: true }),
  ...writingInput,
  ...pagingShape,
});

type Asked = z.output<typeof input>;

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
  run: answering(async (asked, state, call) => {
    const sitemapPath = asked.sitemapPath ?? posix.join(asked.docsPath, "sitemap.xml");
    const isWritten = asked.action === "generate" || asked.action === "update";
    const data: Answer = isWritten
      ? await written(asked, sitemapPath, state, call)
      : await looked(asked, sitemapPath, state, call);
    return {
      data: { ...data, action: asked.action, sitemapPath },
      nextSteps: isWritten ? afterWriting : [],
    };
  }),
  hasFailed: ({ data }) => data.valid === false,
  present: ({ data: { sitemapPath, totalUrls, urls, problems, diff }, ...said }) => {
    const lines = [
      ...(urls ?? []).map(({ loc }) => loc),
      ...(problems ?? []).map(
        ({ line, message, remedy }) => `${sitemapPath}:${line}: ${message} ${remedy}`,
      ),
    ];
    const head = `${sitemapPath}: ${counted(totalUrls, "URL")}${problems ? `, ${counted(problems.length, "problem")}` : ""}.`;
    return told([head, ...lines.map(visible), ...(diff ? ["", diff] : [])].join("\n"), said);
  },
});

/** What is common to all actions; each adds its own. */
type Answer = { totalUrls: number } & Record<string, unknown>;

const afterWriting = [
  { action: "Check the sitemap", toolRequired: "manage_sitemap", description: "action: validate" },
];

async function written(asked: Asked, sitemapPath: string, state: RepositoryState, call: Call) {
  const base = baseOf(asked);
  if (base === undefined)
    throw invalid("Missing parameter 'baseUrl': the site's address is needed to write its sitemap");
  const { entries: fresh, skipped } = await siteEntries(state, asked, base, call);
  const { root, below } = folderToWrite(state.boundary, posix.dirname(sitemapPath));
  const file = posix.basename(sitemapPath);
  if (!/\.xml$/i.test(file))
    throw invalid("Invalid parameter 'sitemapPath': a sitemap's name ends with .xml");
  const { readSitemap } = await import("../sitemap-reading.ts");
  const present = () => exactText(state.boundary, root, below + file);
  const before = asked.action === "update" ? ifThere(present) : undefined;
  const old = before === undefined ? undefined : readSitemap(before);
  if (
    old &&
    (old.problems.some(({ rule }) => rule === "not-xml" || rule === "root") || old.isIndex)
  ) {
    throw new Failure(
      "conflict",
      "not-a-sitemap",
      `'${file}' is no sitemap that could be updated`,
      {
        hints: ["Generate it again with overwrite: true."],
      },
    );
  }
  const { entries, change } = updatedEntries(old?.entries ?? [], fresh, base);
  const result = writeFiles(
    state,
    {
      root,
      below,
      files: [{ file, text: writeSitemap(entries), ...(before !== undefined && { before }) }],
      operation: "manage_sitemap",
      summary: `${asked.action === "update" ? "Updated" : "Made"} the sitemap ${sitemapPath}`,
      dry_run: asked.dry_run,
      overwrite: asked.overwrite,
    },
    call,
  );
  const shown = (list: readonly string[]): string[] => list.slice(0, 50);
  return {
    totalUrls: entries.length,
    added: change.added.length,
    removed: change.removed.length,
    updated: change.updated.length,
    changes: {
      added: shown(change.added),
      removed: shown(change.removed),
      updated: shown(change.updated),
    },
    pagesLeftOut: skipped,
    ...result,
    diff: cut(result.diff),
  };
}

/** A difference is read by a person; of thousands of addresses the first are enough. */
function cut(diff: string): string {
  const lines = diff.split("\n");
  const rest = lines.length - mostLines;
  return rest <= 0 ? diff : [...lines.slice(0, mostLines), `… and ${rest} more lines`].join("\n");
}

const mostLines = 400;

/** Validates a sitemap, or lists what is in it. */
async function looked(asked: Asked, sitemapPath: string, state: RepositoryState, call: Call) {
  const place = state.boundary.enter(sitemapPath);
  const text = ifThere(() => exactText(state.boundary, dirname(place), basename(place)));
  if (text === undefined) throw notFound(`Not found: '${sitemapPath}'.`);
  const { readSitemap } = await import("../sitemap-reading.ts");
  const read = readSitemap(text);
  const base = baseOf(asked);
  const { limit, cursor } = asked;
  if (asked.action === "list") {
    const { items: urls, ...paging } = boundedByPlace(read.entries, { limit, cursor });
    return { urls, ...paging, totalUrls: paging.total, isIndex: read.isIndex };
  }
  const wrong = [
    ...sitemapProblems(text, read, base),
    ...(base === undefined || read.isIndex
      ? []
      : await againstPages(state, asked, base, read.entries, call)),
  ];
  const { items: problems, ...paging } = boundedByPlace(wrong, { limit, cursor });
  return {
    valid: wrong.length === 0,
    totalUrls: read.entries.length,
    problems,
    ...paging,
  };
}

function baseOf({ baseUrl }: Asked): string | undefined {
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
      "Invalid parameter 'baseUrl': give a whole address such as https://docs.example.org/",
    );
  }
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}
