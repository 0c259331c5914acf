/** TOML as far as manifests use it. Numbers and dates stay words: nobody reckons with them. */
export type Toml = string | boolean | Toml[] | TomlTable;

export interface TomlTable {
  [key: string]: Toml;
}

interface Cursor {
  readonly text: string;
  at: number;
}

/** Deeper than anybody nests, and not too deep to follow. */
const deepest = 30;

/**
 * Reads what can be read: a line that is no TOML is passed over, so that one slip does not cost the
 * whole manifest. One walk along the text.
 */
export function readToml(text: string): TomlTable {
  const root = emptyTable();
  const cursor: Cursor = { text, at: 0 };
  let current = root;
  while (skipBlank(cursor)) {
    if (text[cursor.at] === "[") {
      const isList = text[cursor.at + 1] === "[";
      cursor.at += isList ? 2 : 1;
      current = openedTable(root, keyAt(cursor), isList) ?? emptyTable();
    } else {
      const path = keyAt(cursor);
      skipSpace(cursor);
      if (path.length > 0 && text[cursor.at] === "=") {
        cursor.at++;
        put(current, path, valueAt(cursor, 0));
      }
    }
    const end = text.indexOf("\n", cursor.at);
    cursor.at = end < 0 ? text.length : end + 1;
  }
  return root;
}

/** No name of a prototype is a key here. */
const emptyTable = (): TomlTable => Object.create(null) as TomlTable;

export const isTable = (value: Toml | undefined): value is TomlTable =>
  typeof value === "object" && !Array.isArray(value);

/** The value below several keys; undefined where the way ends before. */
export function tomlAt(table: Toml | undefined, ...keys: string[]): Toml | undefined {
  let value = table;
  for (const key of keys) value = isTable(value) ? value[key] : undefined;
  return value;
}

export const tomlTable = (table: Toml | undefined, ...keys: string[]): TomlTable => {
  const value = tomlAt(table, ...keys);
  return isTable(value) ? value : emptyTable();
};

export function tomlText(table: Toml | undefined, ...keys: string[]): string | undefined {
  const value = tomlAt(table, ...keys);
  return typeof value === "string" ? value : undefined;
}

export function tomlTexts(table: Toml | undefined, ...keys: string[]): string[] {
  const value = tomlAt(table, ...keys);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The tables of a list of tables. */
export function tomlTables(table: Toml | undefined, ...keys: string[]): TomlTable[] {
  const value = tomlAt(table, ...keys);
  return Array.isArray(value) ? value.filter(isTable) : [];
}

function openedTable(root: TomlTable, path: string[], isList: boolean): TomlTable | undefined {
  const last = path.at(-1);
  if (last === undefined || path.length > deepest) return undefined;
  const parent = descend(root, path.slice(0, -1));
  const known = parent[last];
  if (isList) {
    const made = emptyTable();
    if (Array.isArray(known)) known.push(made);
    else parent[last] = [made];
    return made;
  }
  return descend(parent, [last]);
}

/** The table at the end of a way; what is missing is made, and of a list the newest table is meant. */
function descend(table: TomlTable, path: readonly string[]): TomlTable {
  let place = table;
  for (const key of path) {
    const known = place[key];
    const inner = Array.isArray(known) ? known.at(-1) : known;
    if (isTable(inner)) {
      place = inner;
    } else {
      const made = emptyTable();
      place[key] = made;
      place = made;
    }
  }
  return place;
}

function put(table: TomlTable, path: readonly string[], value: Toml | undefined): void {
  const last = path.at(-1);
  if (last !== undefined && value !== undefined && path.length <= deepest) {
    descend(table, path.slice(0, -1))[last] = value;
  }
}

/** `a.b."c d"`; empty where there is no key. */
function keyAt(cursor: Cursor): string[] {
  const path: string[] = [];
  for (;;) {
    skipSpace(cursor);
    const letter = cursor.text[cursor.at];
    const isQuoted = letter === '"' || letter === "'";
    const part = isQuoted ? quotedAt(cursor) : wordAt(cursor, bareKey);
    if (part === undefined || part === "") return path;
    path.push(part);
    skipSpace(cursor);
    if (cursor.text[cursor.at] !== ".") return path;
    cursor.at++;
  }
}

const bareKey = /[\w-]+/y;
const bareValue = /[^\s,\]}#]+/y;

function wordAt(cursor: Cursor, word: RegExp): string | undefined {
  word.lastIndex = cursor.at;
  const found = word.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

function valueAt(cursor: Cursor, depth: number): Toml | undefined {
  skipSpace(cursor);
  const letter = cursor.text[cursor.at];
  if (letter === '"' || letter === "'") return quotedAt(cursor);
  if (depth > deepest) return undefined;
  if (letter === "[") return listAt(cursor, depth);
  if (letter === "{") return inlineTableAt(cursor, depth);
  const word = wordAt(cursor, bareValue);
  return word === "true" ? true : word === "false" ? false : word;
}

function listAt(cursor: Cursor, depth: number): Toml[] {
  const list: Toml[] = [];
  cursor.at++;
  while (skipBlank(cursor)) {
    const letter = cursor.text[cursor.at];
    if (letter === "]" || letter === ",") {
      cursor.at++;
      if (letter === "]") break;
      continue;
    }
    const value = valueAt(cursor, depth + 1);
    if (value === undefined) break;
    list.push(value);
  }
  return list;
}

function inlineTableAt(cursor: Cursor, depth: number): TomlTable {
  const table = emptyTable();
  cursor.at++;
  while (skipBlank(cursor)) {
    const letter = cursor.text[cursor.at];
    if (letter === "}" || letter === ",") {
      cursor.at++;
      if (letter === "}") break;
      continue;
    }
    const path = keyAt(cursor);
    skipSpace(cursor);
    if (path.length === 0 || cursor.text[cursor.at] !== "=") break;
    cursor.at++;
    put(table, path, valueAt(cursor, depth + 1));
  }
  return table;
}

/** A string in one or three quotes of either kind; one that never ends goes to the end of its line. */
function quotedAt(cursor: Cursor): string {
  const { text, at } = cursor;
  const quote = text[at] ?? '"';
  const mark = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  let end = at + mark.length;
  while (end < text.length && !text.startsWith(mark, end)) {
    if (mark.length === 1 && text[end] === "\n") break;
    end += quote === '"' && text[end] === "\\" ? 2 : 1;
  }
  const raw = text.slice(at + mark.length, end);
  cursor.at = Math.min(end + (text[end] === quote ? mark.length : 0), text.length);
  const value = mark.length === 3 ? raw.replace(/^\r?\n/, "") : raw;
  return quote === '"' ? value.replace(/\\(["\\n])/g, unescaped) : value;
}

const unescaped = (_: string, sign: string): string => (sign === "n" ? "\n" : sign);

function skipSpace(cursor: Cursor): void {
  while (cursor.text[cursor.at] === " " || cursor.text[cursor.at] === "\t") cursor.at++;
}

/** Goes on to what is neither space nor comment, over lines; false at the end. */
function skipBlank(cursor: Cursor): boolean {
  for (; cursor.at < cursor.text.length; cursor.at++) {
    const letter = cursor.text[cursor.at] ?? "";
    if (letter === "#") {
      const end = cursor.text.indexOf("\n", cursor.at);
      if (end < 0) break;
      cursor.at = end;
    } else if (!/\s/.test(letter) && letter !== "\uFEFF") return true;
  }
  return false;
}
