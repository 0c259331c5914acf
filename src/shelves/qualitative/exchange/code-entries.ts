import { unreadable } from "../../../kernel/formats/unreadable.ts";
import { csvLine, guarded, unguarded } from "../../../text/csv-cells.ts";
import { csvRows } from "../../../text/csv-rows.ts";
import { keptColor } from "./colors.ts";
import type { CategoryContent, CodeContent, Content } from "./content.ts";
import { derivedGuid } from "./guid.ts";
import type { Losses } from "./losses.ts";

/** A code or category by its whole way: `["Feelings", "Good", "Hope"]`. */
interface Entry {
  way: string[];
  isCategory: boolean;
  color: string | null;
  memo: string;
}

type CodeBook = Pick<Content, "categories" | "codes">;

/** How QualCoder parts the steps of a way. */
const step = ">>";

/** A list of codes, one a line: `Feelings>>Good>>Hope`, and behind a tab its memo. */
export const listedCodes = (text: string): CodeBook =>
  codeBookOf(
    text
      .split(/\r\n|\r|\n/)
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const [way = "", ...memo] = line.split("\t");
        return {
          way: stepsOf(way),
          isCategory: way.trimEnd().endsWith(step),
          color: null,
          memo: memo.join("\t").trim(),
        };
      }),
  );

export function codeList(content: CodeBook, losses: Losses): string {
  const flat = (words: string): string => words.replace(/\s+/g, " ").trim();
  const lines = entriesOf(content, losses).flatMap(({ way, isCategory, color, memo }) => {
    const name = way.at(-1);
    if (isCategory && memo) losses.add("dropped", "Memos of categories", name);
    if (isCategory) return [];
    if (color) losses.add("dropped", "Colors of codes", name);
    if (flat(memo) !== memo) losses.add("changed", "Memos of several lines, now one", name);
    return [[way.map(flat).join(step), ...(memo ? [flat(memo)] : [])].join("\t")];
  });
  const named = new Set(content.codes.map(({ category }) => category));
  const inUse = new Set(content.categories.map(({ parent }) => parent));
  for (const { guid, name } of content.categories) {
    if (!named.has(guid) && !inUse.has(guid)) losses.add("dropped", "Empty categories", name);
  }
  return lines.map((line) => `${line}\n`).join("");
}

const columns = ["name", "category", "color", "memo", "kind"] as const;

/** A table of codes, with names of columns in its first line. */
export function tabledCodes(text: string, losses: Losses): CodeBook {
  const [head = [], ...rows] = csvRows(text);
  const titles = head.map((title) => titlesKnown[title.trim().toLowerCase()]);
  if (!titles.includes("name")) {
    throw unreadable("its first line names no column 'name' or 'code'");
  }
  const at = (row: readonly string[], title: (typeof columns)[number]): string =>
    unguarded(row[titles.indexOf(title)] ?? "");
  const entries = rows
    .filter((row) => at(row, "name").trim() !== "")
    .map((row) => {
      const name = at(row, "name").trim();
      return {
        way: [...stepsOf(at(row, "category")), name],
        isCategory: at(row, "kind").trim().toLowerCase() === "category",
        color: keptColor(at(row, "color").trim(), name, losses),
        memo: at(row, "memo"),
      };
    });
  return codeBookOf(entries);
}

const titlesKnown: Record<string, (typeof columns)[number]> = {
  ...Object.fromEntries(columns.map((column) => [column, column])),
  code: "name",
  "code name": "name",
  colour: "color",
  description: "memo",
  definition: "memo",
  categories: "category",
};

export const codeTable = (content: CodeBook, losses: Losses): string =>
  [
    [...columns],
    ...entriesOf(content, losses).map(({ way, isCategory, color, memo }) => [
      way.at(-1) ?? "",
      way.slice(0, -1).join(step),
      color ?? "",
      memo,
      isCategory ? "category" : "code",
    ]),
  ]
    .map((cells) => csvLine(cells.map(guarded), "\r\n"))
    .join("");

/** A text that is no list of codes could look like a very long way. */
const mostSteps = 50;

function stepsOf(way: string): string[] {
  const steps = way
    .split(step)
    .map((one) => one.trim())
    .filter(Boolean);
  if (steps.length > mostSteps) throw unreadable("it is nested too deeply");
  return steps;
}

/** A name that holds the sign between steps would be read as two. */
function entriesOf({ categories, codes }: CodeBook, losses: Losses): Entry[] {
  for (const { name } of [...categories, ...codes]) {
    if (name.includes(step)) losses.add("changed", `Names that hold '${step}', now '> >'`, name);
  }
  const nameOf = ({ name }: { name: string }): string => name.replaceAll(step, "> >");
  const byGuid = new Map([...categories, ...codes].map((one) => [one.guid, one]));
  const aboveOf = (one: CategoryContent | CodeContent): string | null =>
    one.parent ?? ("category" in one ? one.category : null);
  const wayOf = (one: CategoryContent | CodeContent): string[] => {
    const above = byGuid.get(aboveOf(one) ?? "");
    return above ? [...wayOf(above), nameOf(one)] : [nameOf(one)];
  };
  return [
    ...categories.map((one) => ({
      way: wayOf(one),
      isCategory: true,
      color: null,
      memo: one.memo,
    })),
    ...codes.map((one) => ({
      way: wayOf(one),
      isCategory: false,
      color: one.color,
      memo: one.memo,
    })),
  ];
}

/** A step of a way is a code where it is listed as one, and a category otherwise. */
function codeBookOf(entries: readonly Entry[]): CodeBook {
  const keyOf = (way: readonly string[]): string => JSON.stringify(way);
  const listed = new Map(
    entries.filter(({ way }) => way.length > 0).map((one) => [keyOf(one.way), one]),
  );
  const book: CodeBook = { categories: [], codes: [] };
  const known = new Map<string, { guid: string; isCategory: boolean; category: string | null }>();
  function place(way: readonly string[]): {
    guid: string | null;
    isCategory: boolean;
    category: string | null;
  } {
    if (way.length === 0) return { guid: null, isCategory: true, category: null };
    const key = keyOf(way);
    const met = known.get(key);
    if (met) return met;
    const above = place(way.slice(0, -1));
    const entry = listed.get(key);
    const guid = derivedGuid("listed", key);
    const name = way.at(-1) ?? "";
    const about = { guid, name, memo: entry?.memo ?? "" };
    const isCategory = entry === undefined || entry.isCategory;
    const category = above.isCategory ? above.guid : above.category;
    if (isCategory) book.categories.push({ ...about, parent: category });
    else {
      const parent = above.isCategory ? null : above.guid;
      const color = entry.color;
      book.codes.push({ ...about, color, parent, category: parent === null ? category : null });
    }
    const placed = { guid, isCategory, category: isCategory ? guid : category };
    known.set(key, placed);
    return placed;
  }
  for (const { way } of entries) place(way);
  return book;
}
