import { posix } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { type Fact, factsOf } from "../../text/frontmatter.ts";
import { groupedBy } from "../../text/grouped.ts";
import { linesOf } from "../../text/lines.ts";
import { type Page, readPage } from "../../text/markdown/page.ts";
import { idsIn, tagsOf } from "../../text/markdown/tags.ts";
import { longestPage } from "./doc-pages.ts";
import { type DocsSite, flavourOf } from "./docs-site.ts";
import { textOf } from "./file-text.ts";

/** What a link can name within a file. */
export type LinkTarget =
  | {
      kind: "page" | "code";
      anchors: Anchors;
      lines: number;
      /** True where a heading is filled in by a site generator, so that its anchor is not known. */
      hasOpenHeadings?: boolean;
    }
  /** A picture, a book, or text whose anchors only its own program knows. */
  | { kind: "opaque" };

/** The files that links lead to, each read once. */
export interface LinkTargets {
  at(file: string): LinkTarget;
  /** Pages with this file name, in the order in which they were read. */
  named(name: string): string[];
  pages(): { file: string; facts: Fact[] }[];
  /** Keeps what was read already. */
  add(file: string, lines: readonly string[], page: Page): void;
}

const isMarkdown = (file: string): boolean => /\.(md|markdown|mdx|mkd)$/i.test(file);

/** Their anchors are made by programs of their own. */
const opaque =
  /\.(rst|adoc|asciidoc|org|ipynb|tex|pdf|svg|png|jpe?g|gif|webp|ico|avif|mp4|webm|zip|gz|docx?|xlsx?|pptx?)$/i;

export function openTargets(
  boundary: Boundary,
  root: string,
  site: DocsSite | undefined,
): LinkTargets {
  const known = new Map<string, LinkTarget>();
  const facts = new Map<string, Fact[]>();
  let byName: Map<string, string[]> | undefined;
  return {
    at(file) {
      const target = known.get(file) ?? read(file);
      known.set(file, target);
      return target;
    },
    named(name) {
      byName ??= groupedBy(facts.keys(), (file) => posix.basename(file));
      return byName.get(name) ?? [];
    },
    pages: () => [...facts].map(([file, said]) => ({ file, facts: said })),
    add(file, lines, page) {
      known.set(file, pageTarget(page, lines));
      facts.set(file, factsOf(lines));
    },
  };

  function read(file: string): LinkTarget {
    if (opaque.test(file)) return { kind: "opaque" };
    const text = textOf(boundary, root, file, longestPage);
    if (text === undefined) return { kind: "opaque" };
    const lines = linesOf(text);
    const count = lineCount(lines);
    if (isMarkdown(file)) return pageTarget(readPage(lines, flavourOf(file, site)), lines);
    if (!/\.html?$/i.test(file))
      return { kind: "code", anchors: anchorsOf(new Set()), lines: count };
    const anchors = new Set([...tagsOf(text)].flatMap((tag) => [...idsIn(tag)]));
    return { kind: "page", anchors: anchorsOf(anchors), lines: count };
  }
}

const pageTarget = ({ anchors, headings }: Page, lines: readonly string[]): LinkTarget => ({
  kind: "page",
  anchors: anchorsOf(anchors),
  lines: lineCount(lines),
  hasOpenHeadings: headings.some(({ title }) => /\{\{|\{%/.test(title)),
});

/** A last line that ends is no line more. */
const lineCount = (lines: readonly string[]): number =>
  lines.at(-1) === "" ? lines.length - 1 : lines.length;

/** The anchors of a file, and how a wrong one can be near to a right one. */
interface Anchors {
  has(anchor: string): boolean;
  all(): string[];
  /** One that differs only in upper and lower case. */
  inOtherCase(anchor: string): string | undefined;
  /** Site generators make anchors alike but for accents, and how many hyphens stand together. */
  hasLike(anchor: string): boolean;
}

function anchorsOf(anchors: ReadonlySet<string>): Anchors {
  let folded: Map<string, string> | undefined;
  let loose: Set<string> | undefined;
  return {
    has: (anchor) => anchors.has(anchor),
    all: () => [...anchors],
    inOtherCase(anchor) {
      folded ??= new Map([...anchors].map((one) => [one.normalize().toLowerCase(), one]));
      return folded.get(anchor.normalize().toLowerCase());
    },
    hasLike(anchor) {
      loose ??= new Set([...anchors].map(loosened));
      return loose.has(loosened(anchor));
    },
  };
}

const loosened = (anchor: string): string =>
  anchor
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s_-]+/g, "-")
    .replace(/^-|-$/g, "");
