import * as z from "zod";
import type { Root } from "../../../kernel/documents/documents.ts";
import { openWalk } from "../../../kernel/indexing/walk.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { fileExtensionOf } from "../query/filters.ts";
import type { SearchState } from "../state.ts";

/** Spread into the output of an operation that may find no file to index. */
export const unmatchedShape = {
  unmatched: z
    .array(z.object({ extension: z.string(), files: z.int() }))
    .optional()
    .describe("If no file matches the pattern: the extensions of the files in the folder"),
};

type Unmatched = NonNullable<z.output<(typeof unmatchedShape)["unmatched"]>>;

/** Enough to show what a folder contains, and fast even for a whole disk. */
const maxFilesCounted = 20_000;

const maxExtensionsNamed = 8;

/**
 * For a folder without documents: the extensions of its files, most frequent first. Nothing if files
 * match the pattern, which were skipped for another reason.
 */
export function countExtensions(
  { boundary }: SearchState,
  root: Root,
): { unmatched?: Unmatched | undefined } {
  for (const files of openWalk(root, boundary).filesBelow("")) if (files.length > 0) return {};
  const counts = new Map<string, number>();
  let seen = 0;
  for (const files of openWalk({ ...root, pattern: "**/*" }, boundary).filesBelow("")) {
    for (const { path } of files) {
      const extension = fileExtensionOf(path);
      counts.set(extension, (counts.get(extension) ?? 0) + 1);
    }
    seen += files.length;
    if (seen > maxFilesCounted) break;
  }
  const unmatched = [...counts]
    .map(([extension, files]) => ({ extension, files }))
    .sort((a, b) => b.files - a.files || (a.extension < b.extension ? -1 : 1));
  return { unmatched };
}

/** Lists the types of the files, and a mask that includes those that can be indexed. */
export function formatUnmatched({
  name,
  pattern,
  unmatched,
}: {
  name: string;
  pattern: string;
  unmatched: Unmatched | undefined;
}): string[] {
  if (unmatched === undefined) return [];
  if (unmatched.length === 0) return ["The folder has no files."];
  const counted = unmatched.slice(0, maxExtensionsNamed).map(({ extension, files }) => {
    return `${pluralise(files, "file")} ${extension ? `.${extension}` : "without extension"}`;
  });
  const more = unmatched.length > counted.length ? ", …" : "";
  const readable = unmatched.map(({ extension }) => extension).filter(isReadable);
  const [first, ...others] = readable.slice(0, maxExtensionsNamed);
  const set = others.length > 0 ? `{${[first, ...others].join(",")}}` : first;
  return [
    `No file matches ${pattern}. The folder has ${counted.join(", ")}${more}.`,
    ...(first ? [`To index them: lectern collection set '${name}' --mask '**/*.${set}'`] : []),
  ];
}

/** Whether files of this type are documents, and its name is safe in a mask. */
const isReadable = (extension: string): boolean => documentExtensions.has(extension);

const documentExtensions = new Set([
  ...["md", "mdx", "markdown", "mkd", "mdown", "qmd", "rmd", "txt", "text", "org", "rst", "adoc"],
  ...["asciidoc", "tex", "html", "htm", "xhtml", "docx", "pdf", "odt", "epub", "rtf", "ipynb"],
]);
