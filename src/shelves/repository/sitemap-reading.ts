import { SaxesParser } from "saxes";
import {
  isSitemapKey,
  type ReadEntry,
  type ReadSitemap,
  type SitemapKey,
  type SitemapProblem,
  sitemapNamespace,
} from "./sitemap-protocol.ts";

/** Reads as far as the text is XML; what is not is a problem, and ends the reading. */
export function readSitemap(text: string): ReadSitemap {
  const entries: ReadEntry[] = [];
  const problems: SitemapProblem[] = [];
  const parser = new SaxesParser({ xmlns: true });
  let isIndex = false;
  let entry: ReadEntry | undefined;
  let field: SitemapKey | undefined;
  let depth = 0;
  const say = (line: number, rule: string, message: string, remedy: string): void => {
    problems.push({ line, rule, message, remedy });
  };
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ local, uri }) => {
    depth++;
    if (depth === 1) {
      isIndex = local === "sitemapindex";
      if (!isIndex && local !== "urlset")
        say(parser.line, "root", `The first element is '${local}'.`, "Begin with 'urlset'.");
      if (uri !== sitemapNamespace)
        say(
          parser.line,
          "namespace",
          "The namespace of sitemaps is missing.",
          `Write xmlns="${sitemapNamespace}".`,
        );
    } else if (depth === 2) entry = { loc: "", line: parser.line };
    else if (depth === 3 && uri === sitemapNamespace && isSitemapKey(local)) field = local;
  });
  parser.on("closetag", () => {
    depth--;
    if (depth === 2) field = undefined;
    if (depth === 1 && entry) {
      entries.push(entry);
      entry = undefined;
    }
  });
  const take = (words: string): void => {
    if (entry && field) entry[field] = (entry[field] ?? "") + words.trim();
  };
  parser.on("text", take);
  parser.on("cdata", take);
  try {
    parser.write(text).close();
  } catch {
    say(
      parser.line,
      "not-xml",
      "From here on it is no XML.",
      "Mend it, or generate it again with overwrite: true.",
    );
  }
  return { entries, isIndex, problems };
}
