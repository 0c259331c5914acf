import { expect, test } from "vitest";
import { filesBelow, sources } from "./source-files.ts";

const forbiddenNames =
  /(^|[/-])(utils?|helpers?|common|misc|services?|managers?|handlers?|processors?|factory|base|impl|types)(\.|\/|-)/;

test("[house.manner.names] files are named by nouns of the domain", () => {
  const named = sources().filter(({ path }) => forbiddenNames.test(path));

  expect(named.map(({ path }) => path)).toEqual([]);
});

test("[house.manner.size] a file of logic has at most 400 lines", () => {
  const long = sources().filter(({ text }) => text.split("\n").length > 401);

  expect(long.map(({ path }) => path)).toEqual([]);
});

test("[house.manner.depth] folders are never more than three deep below src", () => {
  const deep = sources().filter(({ path }) => path.split("/").length > 5);

  expect(deep.map(({ path }) => path)).toEqual([]);
});

test("[house.manner.sql] in a shelf only storage and tables hold SQL, and what is lent to others", () => {
  const sql =
    /\b(SELECT\s+[\w*(]|INSERT\s+(OR|INTO)|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE)/;
  const wrong = sources().filter(
    ({ path, text }) =>
      path.startsWith("src/shelves/") &&
      !/\/(storage[^/]*|tables|lent)\.ts$/.test(path) &&
      sql.test(text),
  );

  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test("[house.manner.tables] a shelf names only its own tables, and reads documents", () => {
  const wrong = sources().flatMap(({ path, text }) => {
    const shelf = /^src\/shelves\/([^/]+)\/(storage|tables)/.exec(path)?.[1];
    if (!shelf) return [];
    const tables = [...text.matchAll(/\b(?:FROM|INTO|JOIN|UPDATE|TABLE)\s+([a-z_]+)\b/g)];
    const writes = [...text.matchAll(/\b(?:INTO|UPDATE|DELETE FROM)\s+documents\b/g)];
    return [...tables.map((match) => match[1] ?? ""), ...writes.map(() => "a write to documents")]
      .filter((table) => !["documents", "json_each"].includes(table))
      .filter((table) => !table.startsWith(`${shelf}_`))
      .map((table) => `${path}: ${table}`);
  });

  expect(wrong).toEqual([]);
});

test("[house.manner.folders] a shelf lists folders through the boundary, which leaves out what is private", () => {
  const lists = /\b(readdir|readdirSync|opendir|opendirSync|globSync)\b/;
  const listing = filesBelow(["src/shelves"], /(?<!\.test)\.ts$/).filter(({ text }) =>
    lists.test(text),
  );

  // The shelf of projects looks for the files of private sources itself.
  expect(listing.map(({ path }) => path)).toEqual(["src/shelves/qualitative/private-media.ts"]);
});

test("[house.manner.zod] zod is imported whole, so that the build can leave most of it out", () => {
  const wrong = filesBelow(["src"], /\.ts$/).filter(({ text }) =>
    /import (type )?\{[^}]*\} from "zod"/.test(text),
  );

  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test("[house.manner.clocks] no work of a call waits for a clock that may be swept away before it strikes", () => {
  const wrong = sources().filter(
    ({ path, text }) =>
      /^src\/(kernel|shelves)\//.test(path) && /\bAbortSignal\.timeout\(/.test(text),
  );

  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test("[house.manner.product] the product has no special case for a test", () => {
  // `test_frameworks` and `test_paths` are facts about a repository, by the contract's own names.
  const special = /\btest_(?!(?:frameworks|paths)\b)\w+|test:\/\//;
  const wrong = sources().filter(({ text }) => special.test(text));

  expect(wrong.map(({ path }) => path)).toEqual([]);
});
