import { type FrontmatterFact, frontmatterFacts } from "../../../text/markdown/frontmatter.ts";
import { findInlineTags, normalizeTag } from "../../../text/markdown/inline-tags.ts";

/** In other files, `#` starts a comment or a number rather than a tag. */
const isMarkdown = (path: string): boolean => /\.(?:md|markdown|mdown|mkd|mdx)$/i.test(path);

/** The front matter and the tags in the text, which count as values of `tags`. */
export function readDocumentFacts(lines: readonly string[], path: string): FrontmatterFact[] {
  const facts = frontmatterFacts(lines).flatMap(withSingleTags);
  if (!isMarkdown(path)) return facts;
  const known = new Set(facts.filter(isTag).map(({ value }) => value.toLowerCase()));
  const inline = findInlineTags(lines).filter((tag) => !known.has(tag.toLowerCase()));
  return [...facts, ...inline.map((value) => ({ key: "tags", value }))];
}

/** Other names by which links, `get` and searches find the document. */
export const aliasesOf = (facts: readonly FrontmatterFact[]): string[] =>
  facts.filter(({ key }) => /^alias(?:es)?$/i.test(key)).map(({ value }) => value);

const isTag = ({ key }: FrontmatterFact): boolean => /^tags?$/i.test(key);

/** `tags: a, #b` is two tags, `a` and `b`. */
function withSingleTags(fact: FrontmatterFact): FrontmatterFact[] {
  if (!isTag(fact)) return [fact];
  const tags = fact.value.split(",").map(normalizeTag).filter(Boolean);
  return tags.map((value) => ({ key: fact.key, value }));
}
