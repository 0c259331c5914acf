import { join, relative, sep } from "node:path";
import * as z from "zod";
import { createVisibilityCheck } from "../../../kernel/home/scoped-config.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { parseMarkdownPage } from "../../../text/markdown/page.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { readIndexedText } from "../documents/document-text.ts";
import { linkTargetsOf, resolveLinkTarget, wikiLinkTargetsOf } from "../documents/link-targets.ts";
import { lookUpDocument } from "../documents/lookup.ts";
import { createWikiLinkResolver } from "../documents/wiki-link-resolver.ts";
import type { SearchState } from "../state.ts";
import type { TitledDocument } from "../storage.ts";
import { readAliases } from "../storage-aliases.ts";
import { findLinkingDocuments } from "../storage-facets.ts";

const operation = operationsFor<SearchState>();

const Backlink = z.object({
  file: z.string(),
  title: z.string(),
  line: z.int().describe("Line of the first link"),
  text: z.string().describe("The text of that line"),
});

export const backlinks = operation({
  name: "backlinks",
  title: "List backlinks",
  summary: "List the documents that link to a document, each with the line of the link.",
  input: z.object({
    file: z.string().min(1).max(4_096).meta({ help: "Path, name, docid or URI" }),
    limit: z.int().min(1).max(200).default(50).meta({ help: "Maximum documents", short: "n" }),
  }),
  output: z
    .object({
      links: z.array(Backlink),
      remaining: z.int().describe("Number of further documents that may contain such a link"),
    })
    .meta({ json: "links" }),
  effect: "reads",
  expose: { mcp: true, isExtension: true, http: "GET /backlinks", cli: "backlinks <file>" },
  example: { file: "handbook/lending.md" },

  *run({ file, limit }, state) {
    const { document: found } = yield* lookUpDocument(state, file);
    const { id, ...document } = found;
    const targetsByCollection = linkTargetsByCollection(state, document);
    const { root, path } = document;
    const wikiTargets = wikiLinkTargetsOf(path, yield* readAliases(id));
    const targets = [...targetsByCollection, [root, wikiTargets] as const].flatMap(
      ([root, names]) => names.map((name) => [root, name] as const),
    );
    const pathOf = createWikiLinkResolver(root);
    const linkMatchers: LinkMatchers = {
      link: (destination, from) => {
        const target = resolveLinkTarget(destination, from.path);
        return (
          target !== undefined && targetsByCollection.get(from.root)?.includes(target) === true
        );
      },
      *wikiLink(destination, from) {
        return from.root === root && (yield* pathOf(destination, from.path)) === path;
      },
    };
    const links: z.output<typeof Backlink>[] = [];
    const candidates = (yield* findLinkingDocuments(targets)).filter(
      (candidate) => candidate.id !== id,
    );
    let checked = 0;
    for (; checked < candidates.length && links.length < limit; checked++) {
      const link = yield* findBacklink(state, candidates[checked], linkMatchers);
      if (link) links.push(link);
    }
    return { links, remaining: candidates.length - checked };
  },

  present: ({ links, remaining }) => [
    textBlock(
      [
        ...links.map(({ file, line, text }) => `${toPrintable(file)}:${line}: ${text}`),
        ...(remaining > 0 ? [`… and up to ${remaining} more`] : []),
      ].join("\n") || "No document links to it.",
    ),
  ],
});

export const backlinkOperations = [backlinks];

const maxTextLength = 300;

/** By collection, the targets of links to a document: its path relative to that collection. */
function linkTargetsByCollection(
  { config }: SearchState,
  { root, path }: Pick<TitledDocument, "root" | "path">,
): Map<string, string[]> {
  const { collections } = config.read();
  const diskPath = join(collections[root]?.path ?? "", path);
  const others = Object.entries(collections).map(([name, { path: folder }]) => {
    const relativePath = relative(folder, diskPath).split(sep).join("/");
    return [name, linkTargetsOf(relativePath)] as const;
  });
  return new Map([...others, [root, linkTargetsOf(path)]]);
}

/** Whether a link destination on another page refers to the requested document. */
interface LinkMatchers {
  link(destination: string, from: TitledDocument): boolean;
  wikiLink(destination: string, from: TitledDocument): Steps<boolean>;
}

/** Parses the page, because the index also contains links in code. */
function* findBacklink(
  state: SearchState,
  document: TitledDocument | undefined,
  linkMatchers: LinkMatchers,
): Steps<z.output<typeof Backlink> | undefined> {
  const text =
    document && createVisibilityCheck(state)(document)
      ? yield* readIndexedText(state, document)
      : undefined;
  if (!document || text === undefined) return undefined;
  const lines = splitLines(text);
  const { links, wikiLinks } = parseMarkdownPage(lines);
  const first = links.find(({ destination = "" }) => linkMatchers.link(destination, document));
  let line = first?.line;
  for (const link of wikiLinks) {
    if (line !== undefined && link.line >= line) continue;
    if (yield* linkMatchers.wikiLink(link.destination, document)) line = link.line;
  }
  if (line === undefined) return undefined;
  return {
    file: `${document.root}/${document.path}`,
    title: document.title,
    line,
    text: toPrintable((lines[line - 1] ?? "").trim().slice(0, maxTextLength)),
  };
}
