import { SaxesParser } from "saxes";
import {
  isSitemapKey,
  type ParsedSitemap,
  type ParsedSitemapEntry,
  type SitemapKey,
  type SitemapProblem,
  sitemapNamespace,
} from "./sitemap-format.ts";

/** Parses a sitemap. Invalid XML is reported as a problem and ends the parsing. */
export function parseSitemap(text: string): ParsedSitemap {
  const entries: ParsedSitemapEntry[] = [];
  const problems: SitemapProblem[] = [];
  const parser = new SaxesParser({ xmlns: true });
  let isIndex = false;
  let entry: ParsedSitemapEntry | undefined;
  let field: SitemapKey | undefined;
  let depth = 0;
  const report = (line: number, rule: string, message: string, remedy: string): void => {
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
        report(parser.line, "root", `The first element is '${local}'.`, "Begin with 'urlset'.");
      if (uri !== sitemapNamespace)
        report(
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
  const appendText = (text: string): void => {
    if (entry && field) entry[field] = (entry[field] ?? "") + text.trim();
  };
  parser.on("text", appendText);
  parser.on("cdata", appendText);
  try {
    parser.write(text).close();
  } catch {
    report(
      parser.line,
      "not-xml",
      "The XML is invalid from here.",
      "Fix it, or generate it again with overwrite: true.",
    );
  }
  return { entries, isIndex, problems };
}
