import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { mayShow } from "../../../kernel/enclosure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { linesOf } from "../../../text/lines.ts";
import { readPage } from "../../../text/markdown/page.ts";
import { visible } from "../../../text/visible.ts";
import { namesOf, targetOf } from "../links.ts";
import { lookUp } from "../lookup.ts";
import { textAsIndexed } from "../reading.ts";
import type { SearchState } from "../state.ts";
import type { TitledDocument } from "../storage.ts";
import { documentsLinkingTo } from "../storage-facets.ts";

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
  summary: "The documents of a collection that link to a document, each with the line of its link.",
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
    const { root, path } = lookUp(state, file).document;
    const names = new Set(namesOf(path));
    const links: z.output<typeof BackLink>[] = [];
    const candidates = documentsLinkingTo(state.db, root, [...names]).filter(
      (document) => document.path !== path,
    );
    let seen = 0;
    for (; seen < candidates.length && links.length < limit; seen++) {
      const link = linkIn(state, candidates[seen], names);
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

/** Read again as a page, because what the index took for a link may stand in code. */
function linkIn(
  state: SearchState,
  document: TitledDocument | undefined,
  names: ReadonlySet<string>,
): z.output<typeof BackLink> | undefined {
  const whole = document && mayShow(state, document) ? textAsIndexed(state, document) : undefined;
  if (!document || whole === undefined) return undefined;
  const lines = linesOf(whole);
  const link = readPage(lines).links.find(({ destination = "" }) => {
    const target = targetOf(destination, document.path);
    return target !== undefined && names.has(target);
  });
  if (!link) return undefined;
  return {
    file: `${document.root}/${document.path}`,
    title: document.title,
    line: link.line,
    text: visible((lines[link.line - 1] ?? "").trim().slice(0, longestText)),
  };
}
