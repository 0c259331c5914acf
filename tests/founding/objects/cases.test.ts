import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe as describeAlways, expect, onTestFinished, test } from "vitest";
import { createBoundary } from "../../../src/kernel/paths/boundary.ts";
import { openSqlSandbox } from "../../../src/kernel/sql/sandbox.ts";
import { buildObjectSqlSet } from "../../../src/shelves/objects/sql-tables.ts";
import { buildTrees, type TreeMode } from "../../../src/shelves/objects/workspace/object-tree.ts";
import { openWorkspaceCache } from "../../../src/shelves/objects/workspace/workspace-cache.ts";
import { clientsOf } from "../../contract/surface-clients.ts";
import { openSample } from "../../fixtures/library/sample-library.ts";
import { qmdc, qmdcFed } from "../../fixtures/objects/qmdc-program.ts";

/** Cases with the results of an existing toolchain, where this clone has them beside it. */
const data = fileURLToPath(new URL("../../../../shared/data/qmdc/", import.meta.url));
const files = existsSync(data)
  ? readdirSync(data, { recursive: true, encoding: "utf8" }).map((path) => join(data, path))
  : [];
const origin = files.length > 0 ? "shared cases" : "no shared cases beside this clone";

/** A clone without the cases has nothing to describe, and the test above says so. */
const describe = (name: string, body: () => void): void => {
  if (files.length > 0) describeAlways(name, body);
};

const sandbox = openSqlSandbox();
afterAll(() => sandbox.close());

test(`[objects.cases.used] the cases of the existing toolchain are loaded: ${origin}`, () => {
  expect(files.filter(isCase)).toHaveLength(files.length > 0 ? 69 : 0);
});

/**
 * Where objects of one id overwrite each other, the edges of the lost ones are gone too. Here all
 * live, so this workspace has more edges. See `docs/decisions/019-objects-of-one-id-both-live.md`.
 */
const knownExceptions = new Map([["test-workspace/tests/006-count-edges.sql", [[79]]]]);

const named = (name: string): string[] => files.filter((file) => basename(file) === name).sort();
const read = (path: string): string => readFileSync(path, "utf8");
const readJson = (path: string): unknown => JSON.parse(read(path));

/** Which files stand for a case. */
function isCase(path: string): boolean {
  const name = basename(path);
  if (name === "_expected.json") return existsSync(join(dirname(path), "readme.qmd.md"));
  return name.endsWith(".sql") || name === "cmd" || /^mcp-(resource-)?request\.json$/.test(name);
}

/** A copy in a folder of the same name: where nobody declares a workspace, it is called so. */
function copied(folder: string): string {
  const above = mkdtempSync(join(tmpdir(), "lectern-case-"));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  const copy = join(above, basename(folder));
  cpSync(folder, copy, { recursive: true });
  return copy;
}

async function viewOf(folder: string) {
  const copy = copied(folder);
  const workspaces = openWorkspaceCache(createBoundary({ base: copy }));
  onTestFinished(() => workspaces.close());
  return workspaces.read(copy);
}

interface ExpectedWorkspace {
  workspace_id: string | null;
  files: string[];
  objects: Record<string, string[]>;
  errors?: Record<string, unknown>[];
}

const keysOfErrors = ["type", "object", "reference", "file", "line", "candidates"];

describe("[objects.cases.workspaces] workspaces are the same as in the existing toolchain", () => {
  const expectations = named("_expected.json").filter(isCase);
  for (const path of expectations) {
    test(dirname(path).slice(data.length), async () => {
      const expected = readJson(path) as ExpectedWorkspace;
      const view = await viewOf(dirname(path));
      const objects: Record<string, string[]> = {};
      for (const { kind, id } of view.objects) objects[kind] = [...(objects[kind] ?? []), id];

      expect(view.id).toBe(expected.workspace_id);
      expect([...view.files].sort()).toEqual(expected.files.sort());
      expect(sortedLists(objects)).toEqual(sortedLists(expected.objects));
      const known = (error: object): string =>
        JSON.stringify(Object.fromEntries(keysOfErrors.map((key) => [key, fieldOf(error, key)])));
      expect(view.allDiagnostics.map(known).sort()).toEqual(
        (expected.errors ?? []).map(known).sort(),
      );
    });
  }
});

const sortedLists = (lists: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, [...list].sort()]));

/** Lists in any order; a key that says nothing is as good as none. */
function fieldOf(error: object, key: string): unknown {
  const value: unknown = Object.entries(error).find(([name]) => name === key)?.[1];
  return Array.isArray(value) ? [...value].sort() : (value ?? null);
}

describe("[objects.cases.sql] SQL statements return the same rows as in the existing toolchain", () => {
  for (const path of files.filter((file) => file.endsWith(".sql")).sort()) {
    const name = path.slice(join(data, "workspace/").length);
    test(name, async () => {
      const view = await viewOf(dirname(dirname(path)));
      const asked = { sql: read(path), limit: 1_000, offset: 0 };
      const { columns, rows } = await sandbox.query(buildObjectSqlSet(view, []), asked);
      const expected = readJson(path.replace(/\.sql$/, ".expected.json")) as object;
      const ours = knownExceptions.get(name);
      expect({ columns, rows }).toEqual(ours ? { ...expected, rows: ours } : expected);
    });
  }
});

describe("[objects.cases.trees] trees are the same as in the existing toolchain", () => {
  for (const mode of ["namespace", "file", "smart"] satisfies TreeMode[]) {
    for (const path of named(`${mode}.expected.json`)) {
      test(path.slice(data.length), async () => {
        const [tree] = buildTrees(await viewOf(dirname(dirname(dirname(path)))), mode);
        expect(tree).toEqual(readJson(path));
      });
    }
  }
});

interface Request {
  tool?: string;
  arguments?: Record<string, unknown>;
  uri?: string;
  path?: string;
}

/** The request of a case, about a copy of its folder. */
function requestOf(path: string): Request {
  const copy = copied(dirname(path));
  const inner = join(copy, "workspace");
  const place = existsSync(inner) ? inner : copy;
  return JSON.parse(read(path).replaceAll("{{workspace}}", place)) as Request;
}

async function asked(method: string, params: unknown): Promise<Record<string, unknown>> {
  const library = await openSample();
  onTestFinished(() => library.close());
  const { result } = await clientsOf(library).rpc(method, params);
  return result ?? {};
}

describe("[objects.cases.tools] tools answer like the existing server", () => {
  for (const path of named("mcp-request.json")) {
    test(dirname(path).slice(data.length), async () => {
      const { tool, arguments: input } = requestOf(path);
      const expected = readJson(path.replace("request", "expected")) as { success?: boolean };
      const result = await asked("tools/call", { name: tool, arguments: input });
      const [block] = result.content as { text: string }[];
      expect(differences(expected, JSON.parse(block?.text ?? ""))).toEqual([]);
      expect(result.isError ?? false).toBe(expected.success === false);
    });
  }
});

describe("[objects.cases.resources] resources have the same content as in the existing server", () => {
  for (const path of named("mcp-resource-request.json")) {
    test(dirname(path).slice(data.length), async () => {
      const request = requestOf(path);
      const expected = readJson(path.replace("request", "expected")) as Record<string, unknown>;
      const uri = `${request.uri}?path=${encodeURIComponent(request.path ?? "")}`;
      const { contents } = await asked("resources/read", { uri });
      const [block] = contents as { mimeType: string; text: string }[];
      expect(block?.mimeType).toBe(expected.mimeType);
      expect(differences(expected.content, JSON.parse(block?.text ?? ""))).toEqual([]);
    });
  }
});

/** Three words of the cases stand for many values. */
const wildcards: Readonly<Record<string, (value: unknown) => boolean>> = {
  __any__: () => true,
  __array_nonempty__: (value) => Array.isArray(value) && value.length > 0,
  __positive_integer__: (value) => Number.isInteger(value) && Number(value) > 0,
};

/** An answer may say more than is expected, and must say that. */
function differences(expected: unknown, actual: unknown, at = "answer"): string[] {
  const wildcard = typeof expected === "string" ? wildcards[expected] : undefined;
  if (wildcard) return wildcard(actual) ? [] : [`${at}: ${JSON.stringify(actual)}`];
  if (typeof expected !== "object" || expected === null) {
    const isSame = Object.is(expected, actual);
    return isSame ? [] : [`${at}: ${JSON.stringify(actual)} and not ${JSON.stringify(expected)}`];
  }
  const has = Array.isArray(actual) ? actual.length : undefined;
  if (Array.isArray(expected) && has !== expected.length) return [`${at} has ${has} items`];
  const values = new Map(Object.entries(actual ?? {}));
  return Object.entries(expected).flatMap(([key, value]) =>
    differences(value, values.get(key), `${at}.${key}`),
  );
}

describe("[objects.cases.commands] commands print and exit like the existing ones", () => {
  for (const path of named("cmd")) {
    const folder = dirname(path);
    test(folder.slice(data.length), async () => {
      const words = read(path).trim().split(" ");
      const at = (name: string): string => join(folder, name);
      const { code, out } = existsSync(at("stdin"))
        ? await qmdcFed(read(at("stdin")), ...words)
        : await qmdc(copied(folder), ...words);
      expect(code).toBe(existsSync(at("exit")) ? Number(read(at("exit"))) : 0);
      if (existsSync(at("expected.json"))) {
        expect(JSON.parse(out)).toEqual(readJson(at("expected.json")));
      } else expect(out.trim()).toBe(read(at("expected.txt")).trim());
    });
  }
});
