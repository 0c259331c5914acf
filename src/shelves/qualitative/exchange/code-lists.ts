import { unreadableFile } from "../../../kernel/formats/file-errors.ts";
import { parseCsv } from "../../../text/formats/csv-parser.ts";
import { escapeFormula, formatCsvLine, unescapeFormula } from "../../../text/formats/csv-writer.ts";
import { readImportedColor } from "./colors.ts";
import type { CategoryContent, CodeContent, Content } from "./content.ts";
import { derivedGuid } from "./guid.ts";
import type { LossReport } from "./losses.ts";

/** A code or category by its path: `["Feelings", "Good", "Hope"]`. */
interface CodeEntry {
  path: string[];
  isCategory: boolean;
  color: string | null;
  memo: string;
}

type CodeTree = Pick<Content, "categories" | "codes">;

/** QualCoder's separator in paths. */
const pathSeparator = ">>";

/**
 * Parses a list of codes, one per line: `Feelings>>Good>>Hope`, optionally followed by a tab and a
 * memo.
 */
export const parseCodeList = (text: string): CodeTree =>
  codeTreeOf(
    text
      .split(/\r\n|\r|\n/)
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const [path = "", ...memo] = line.split("\t");
        return {
          path: parsePath(path),
          isCategory: path.trimEnd().endsWith(pathSeparator),
          color: null,
          memo: memo.join("\t").trim(),
        };
      }),
  );

export function renderCodeList(content: CodeTree, losses: LossReport): string {
  const toLine = (text: string): string => text.replace(/\s+/g, " ").trim();
  const lines = entriesOf(content, losses).flatMap(({ path, isCategory, color, memo }) => {
    const name = path.at(-1);
    if (isCategory && memo) losses.add("dropped", "Memos of categories", name);
    if (isCategory) return [];
    if (color) losses.add("dropped", "Colors of codes", name);
    if (toLine(memo) !== memo) losses.add("changed", "Memos of several lines, now one line", name);
    return [[path.map(toLine).join(pathSeparator), ...(memo ? [toLine(memo)] : [])].join("\t")];
  });
  const usedCategories = new Set(content.codes.map(({ category }) => category));
  const parentCategories = new Set(content.categories.map(({ parent }) => parent));
  for (const { guid, name } of content.categories) {
    if (!usedCategories.has(guid) && !parentCategories.has(guid))
      losses.add("dropped", "Empty categories", name);
  }
  return lines.map((line) => `${line}\n`).join("");
}

const tableColumnNames = ["name", "category", "color", "memo", "kind"] as const;

/** Parses a table of codes with a heading row. */
export function parseCodeTable(text: string, losses: LossReport): CodeTree {
  const [head = [], ...rows] = parseCsv(text);
  const titles = head.map((title) => columnAliases[title.trim().toLowerCase()]);
  if (!titles.includes("name")) {
    throw unreadableFile("its first line has no column 'name' or 'code'");
  }
  const at = (row: readonly string[], title: (typeof tableColumnNames)[number]): string =>
    unescapeFormula(row[titles.indexOf(title)] ?? "");
  const entries = rows
    .filter((row) => at(row, "name").trim() !== "")
    .map((row) => {
      const name = at(row, "name").trim();
      return {
        path: [...parsePath(at(row, "category")), name],
        isCategory: at(row, "kind").trim().toLowerCase() === "category",
        color: readImportedColor(at(row, "color").trim(), name, losses),
        memo: at(row, "memo"),
      };
    });
  return codeTreeOf(entries);
}

const columnAliases: Record<string, (typeof tableColumnNames)[number]> = {
  ...Object.fromEntries(tableColumnNames.map((column) => [column, column])),
  code: "name",
  "code name": "name",
  colour: "color",
  description: "memo",
  definition: "memo",
  categories: "category",
};

export const renderCodeTable = (content: CodeTree, losses: LossReport): string =>
  [
    [...tableColumnNames],
    ...entriesOf(content, losses).map(({ path, isCategory, color, memo }) => [
      path.at(-1) ?? "",
      path.slice(0, -1).join(pathSeparator),
      color ?? "",
      memo,
      isCategory ? "category" : "code",
    ]),
  ]
    .map((cells) => formatCsvLine(cells.map(escapeFormula), "\r\n"))
    .join("");

/** A text file that is not a list of codes could parse as a very long path. */
const maxDepth = 50;

function parsePath(text: string): string[] {
  const steps = text
    .split(pathSeparator)
    .map((item) => item.trim())
    .filter(Boolean);
  if (steps.length > maxDepth) throw unreadableFile("it is nested too deeply");
  return steps;
}

/** Replaces the separator in names, since a reader would split the name there. */
function entriesOf({ categories, codes }: CodeTree, losses: LossReport): CodeEntry[] {
  for (const { name } of [...categories, ...codes]) {
    if (name.includes(pathSeparator))
      losses.add("changed", `Names that contain '${pathSeparator}', now '> >'`, name);
  }
  const nameOf = ({ name }: { name: string }): string => name.replaceAll(pathSeparator, "> >");
  const byGuid = new Map([...categories, ...codes].map((item) => [item.guid, item]));
  const parentOf = (item: CategoryContent | CodeContent): string | null =>
    item.parent ?? ("category" in item ? item.category : null);
  const pathOf = (item: CategoryContent | CodeContent): string[] => {
    const parent = byGuid.get(parentOf(item) ?? "");
    return parent ? [...pathOf(parent), nameOf(item)] : [nameOf(item)];
  };
  return [
    ...categories.map((item) => ({
      path: pathOf(item),
      isCategory: true,
      color: null,
      memo: item.memo,
    })),
    ...codes.map((item) => ({
      path: pathOf(item),
      isCategory: false,
      color: item.color,
      memo: item.memo,
    })),
  ];
}

/** A path element is a code if it is listed as one, otherwise a category. */
function codeTreeOf(entries: readonly CodeEntry[]): CodeTree {
  const keyOf = (path: readonly string[]): string => JSON.stringify(path);
  const listed = new Map(
    entries.filter(({ path }) => path.length > 0).map((item) => [keyOf(item.path), item]),
  );
  const tree: CodeTree = { categories: [], codes: [] };
  const entriesByPath = new Map<
    string,
    { guid: string; isCategory: boolean; category: string | null }
  >();
  function ensureEntry(path: readonly string[]): {
    guid: string | null;
    isCategory: boolean;
    category: string | null;
  } {
    if (path.length === 0) return { guid: null, isCategory: true, category: null };
    const key = keyOf(path);
    const known = entriesByPath.get(key);
    if (known) return known;
    const parentEntry = ensureEntry(path.slice(0, -1));
    const entry = listed.get(key);
    const guid = derivedGuid("listed", key);
    const name = path.at(-1) ?? "";
    const fields = { guid, name, memo: entry?.memo ?? "" };
    const isCategory = entry === undefined || entry.isCategory;
    const category = parentEntry.isCategory ? parentEntry.guid : parentEntry.category;
    if (isCategory) tree.categories.push({ ...fields, parent: category });
    else {
      const parent = parentEntry.isCategory ? null : parentEntry.guid;
      const color = entry.color;
      tree.codes.push({ ...fields, color, parent, category: parent === null ? category : null });
    }
    const placed = { guid, isCategory, category: isCategory ? guid : category };
    entriesByPath.set(key, placed);
    return placed;
  }
  for (const { path } of entries) ensureEntry(path);
  return tree;
}
