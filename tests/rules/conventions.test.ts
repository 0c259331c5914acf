import { expect, test } from "vitest";
import { filesBelow, sources } from "./source-files.ts";

const forbiddenNames =
  /(^|[/-])(utils?|helpers?|common|misc|services?|managers?|handlers?|processors?|factory|base|impl|types)(\.|\/|-)/;

test("[core.conventions.names] file names say what a file contains: none is a helper, a manager or a utility", () => {
  const violations = sources().filter(({ path }) => forbiddenNames.test(path));

  expect(violations.map(({ path }) => path)).toEqual([]);
});

test("[core.conventions.size] a source file has at most 400 lines", () => {
  const long = sources().filter(({ text }) => text.split("\n").length > 401);

  expect(long.map(({ path }) => path)).toEqual([]);
});

test("[core.conventions.depth] folders are at most four levels below src", () => {
  const deep = sources().filter(({ path }) => path.split("/").length > 6);

  expect(deep.map(({ path }) => path)).toEqual([]);
});

test("[core.conventions.sql] in a shelf, only storage, tables and SQL-table files contain SQL", () => {
  const sql =
    /\b(SELECT\s+[\w*(]|INSERT\s+(OR|INTO)|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE)/;
  const violations = sources().filter(
    ({ path, text }) =>
      path.startsWith("src/shelves/") &&
      !/\/(storage[^/]*|tables|sql-tables)\.ts$/.test(path) &&
      sql.test(text),
  );

  expect(violations.map(({ path }) => path)).toEqual([]);
});

test("[core.conventions.tables] a shelf uses only its own tables, and reads the documents table", () => {
  const violations = sources().flatMap(({ path, text }) => {
    const shelf = /^src\/shelves\/([^/]+)\/(storage|tables)/.exec(path)?.[1];
    if (!shelf) return [];
    const tables = [...text.matchAll(/\b(?:FROM|INTO|JOIN|UPDATE|TABLE)\s+([a-z_]+)\b/g)];
    const writes = [...text.matchAll(/\b(?:INTO|UPDATE|DELETE FROM)\s+documents\b/g)];
    return [...tables.map((match) => match[1] ?? ""), ...writes.map(() => "a write to documents")]
      .filter((table) => !["documents", "json_each"].includes(table))
      .filter((table) => !table.startsWith(`${shelf}_`))
      .map((table) => `${path}: ${table}`);
  });

  expect(violations).toEqual([]);
});

test("[core.conventions.folders] a shelf lists folders only through the boundary, which omits private files", () => {
  const lists = /\b(readdir|readdirSync|opendir|opendirSync|globSync)\b/;
  const listing = filesBelow(["src/shelves"], /(?<!\.test)\.ts$/).filter(({ text }) =>
    lists.test(text),
  );

  // It determines which files belong to private sources.
  expect(listing.map(({ path }) => path)).toEqual([
    "src/shelves/qualitative/project/private-media.ts",
  ]);
});

test("[core.conventions.zod] zod is imported as a namespace, so that the build can tree-shake it", () => {
  const violations = filesBelow(["src"], /\.ts$/).filter(({ text }) =>
    /import (type )?\{[^}]*\} from "zod"/.test(text),
  );

  expect(violations.map(({ path }) => path)).toEqual([]);
});

test("[core.conventions.clocks] the kernel and the shelves do not use AbortSignal.timeout, which can be garbage-collected", () => {
  const violations = sources().filter(
    ({ path, text }) =>
      /^src\/(kernel|shelves)\//.test(path) && /\bAbortSignal\.timeout\(/.test(text),
  );

  expect(violations.map(({ path }) => path)).toEqual([]);
});

test("[core.conventions.product] the product has no special case for tests", () => {
  // `test_frameworks` and `test_paths` are field names of the repository analysis.
  const specialCase = /\btest_(?!(?:frameworks|paths)\b)\w+|test:\/\//;
  const violations = sources().filter(({ text }) => specialCase.test(text));

  expect(violations.map(({ path }) => path)).toEqual([]);
});

test("[core.conventions.architecture] every file that docs/ARCHITECTURE.md names exists, and the page has at most 250 lines", () => {
  const [{ text } = { text: "" }] = filesBelow(["docs"], /^ARCHITECTURE\.md$/);
  const paths = filesBelow(["src", "web", "tests", "scripts"], /\.\w+$/).map(
    ({ path }) => `/${path}`,
  );
  const violations = [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)].map(([, name = ""]) => name);

  expect(violations.length).toBeGreaterThan(50);
  expect(violations.filter((name) => !paths.some((path) => path.endsWith(`/${name}`)))).toEqual([]);
  expect(text.split("\n").length).toBeLessThanOrEqual(251);
});

const singleMechanisms: readonly [mechanism: string, code: RegExp, files: readonly string[]][] = [
  ["SHA-256", /createHash\("sha256"\)/, ["src/kernel/files/hashes.ts"]],
  ["walking a schema", /_zod\.def\b/, ["src/surfaces/schema-layers.ts"]],
  ["the case of keys", /\.replace\(\/\[A-Z\]\/g/, ["src/text/strings/key-case.ts"]],
  [
    "watching folders",
    /from "@parcel\/watcher"|\bwatch\b[^;]*from "node:fs"/,
    ["src/kernel/watching/file-events.ts", "src/kernel/watching/folder-changes.ts"],
  ],
  [
    "starting a process",
    /(?:^import (?!type )[^;]*|getBuiltinModule\()"node:child_process"/m,
    [
      "src/kernel/git/git-process.ts",
      "src/kernel/peers/user-ids.ts",
      "src/kernel/processes/child-process.ts",
      "src/surfaces/bridge/connection.ts",
      "src/surfaces/cli/doctor/host-checks.ts",
      "src/surfaces/cli/output/open-document.ts",
    ],
  ],
];

test.each(singleMechanisms)(
  "[core.conventions.one-mechanism] %s is in one place",
  (_name, code, files) => {
    const found = sources().filter(({ text }) => code.test(text));

    expect(found.map(({ path }) => path).sort()).toEqual(files);
  },
);
