import { join, relative, sep } from "node:path";
import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { shownDocuments } from "../../../kernel/enclosure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { linesOf } from "../../../text/lines.ts";
import { readPage } from "../../../text/markdown/page.ts";
import { visible } from "../../../text/visible.ts";
import { namesOf, targetOf, wikiTargetsOf } from "../links.ts";
import { lookUp } from "../lookup.ts";
import { textAsIndexed } from "../reading.ts";
import type { SearchState } from "../state.ts";
import type { TitledDocument } from "../storage.ts";
import { documentsLinkingTo } from "../storage-facets.ts";
import { wikiNamesOf } from "../wiki-names.ts";

const operation = operationsOn<SearchState>();

const BackLink = z.object({
  file: z.string(),
  title: z.string(),
  line: z.int().describe("Where the first of its links stands"),
  text: z.string().describe("That line"),
});

export const backlinks = operation({
  name: "backlinks",
  title: "Back-links",
  summary: "The documents that link to a document, each with the line of its link.",
  input: z.object({
    file: z.string().min(1).max(4_096).describe("Path, docid or URI"),
    limit: z.int().min(1).max(200).default(50).describe("Most documents").meta({ short: "n" }),
  }),
  output: z
    .object({
      links: z.array(BackLink),
      remaining: z.int().describe("How many more may have such a link"),
    })
    .meta({ json: "links" }),
  effect: "reads",
  expose: { http: "GET /backlinks", cli: "backlinks <file>" },
  example: { file: "handbook/lending.md" },

  run({ file, limit }, state) {
    const { id, ...document } = lookUp(state, file).document;
    const names = namesFor(state, document);
    const { root, path } = document;
    const meant = [...names, [root, wikiTargetsOf(path)] as const].flatMap(([root, own]) =>
      own.map((name) => [root, name] as const),
    );
    const pathOf = wikiNamesOf(state, root);
    const leadsHere: LeadsHere = {
      link: (destination, from) => {
        const target = targetOf(destination, from.path);
        return target !== undefined && names.get(from.root)?.includes(target) === true;
      },
      wikiLink: (destination, from) =>
        from.root === root && pathOf(destination, from.path) === path,
    };
    const links: z.output<typeof BackLink>[] = [];
    const candidates = documentsLinkingTo(state.db, meant).filter((one) => one.id !== id);
    let seen = 0;
    for (; seen < candidates.length && links.length < limit; seen++) {
      const link = linkIn(state, candidates[seen], leadsHere);
      if (link) links.push(link);
    }
    return { links, remaining: candidates.length - seen };
  },

  present: ({ links, remaining }) => [
    text(
      [
        ...links.map(({ file, line, text }) => `${visible(file)}:${line}: ${text}`),
        ...(remaining > 0 ? [`… and up to ${remaining} more`] : []),
      ].join("\n") || "Nothing links to it.",
    ),
  ],
});

export const backlinkOperations = [backlinks];

const longestText = 300;

/** What links of each collection call a document: its path, as seen from the folder of theirs. */
function namesFor(
  { config }: SearchState,
  { root, path }: Pick<TitledDocument, "root" | "path">,
): Map<string, string[]> {
  const { collections } = config.read();
  const place = join(collections[root]?.path ?? "", path);
  const others = Object.entries(collections).map(([name, { path: folder }]) => {
    const way = relative(folder, place).split(sep).join("/");
    return [name, namesOf(way)] as const;
  });
  return new Map([...others, [root, namesOf(path)]]);
}

/** Whether a destination on another page means the document that was asked about. */
type LeadsHere = Record<
  "link" | "wikiLink",
  (destination: string, from: TitledDocument) => boolean
>;

/** Read again as a page, because what the index took for a link may stand in code. */
function linkIn(
  state: SearchState,
  document: TitledDocument | undefined,
  leadsHere: LeadsHere,
): z.output<typeof BackLink> | undefined {
  const whole =
    document && shownDocuments(state)(document) ? textAsIndexed(state, document) : undefined;
  if (!document || whole === undefined) return undefined;
  const lines = linesOf(whole);
  const { links, wikiLinks } = readPage(lines);
  const first = [
    links.find(({ destination = "" }) => leadsHere.link(destination, document)),
    wikiLinks.find(({ destination }) => leadsHere.wikiLink(destination, document)),
  ].flatMap((link) => link?.line ?? []);
  if (first.length === 0) return undefined;
  const line = Math.min(...first);
  return {
    file: `${document.root}/${document.path}`,
    title: document.title,
    line,
    text: visible((lines[line - 1] ?? "").trim().slice(0, longestText)),
  };
}
