import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import { Failure } from "../failure.ts";
import { openDatabase } from "../storage/database.ts";
import { runSteps } from "../storage/sqlite-store.ts";
import type { Steps } from "../storage/steps.ts";
import { collectionNameSchema, configuredRoots, openConfigFile, repairConfig } from "./config.ts";

const top = mkdtempSync(join(tmpdir(), "lectern-config-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let counter = 0;
function home(text?: string) {
  const folder = join(top, `home-${counter++}`);
  mkdirSync(folder);
  const path = join(folder, "config.json");
  if (text !== undefined) writeFileSync(path, text);
  return { folder, path, config: openConfigFile(path) };
}

const notes = { path: "/library/notes", pattern: "**/*.md" };

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("It did not fail.");
}

test("without a file the configuration is empty, and reading creates none", () => {
  const { config, folder } = home();
  expect(config.read()).toEqual({ collections: {}, contexts: {} });
  expect(readdirSync(folder)).toEqual([]);
});

test("[core.config.update] an update is visible to this process and to others", () => {
  const { config, path } = home();
  run(
    config.update((draft) => {
      draft.collections.notes = notes;
      draft.contexts["notes/old"] = "Before the move";
    }),
  );

  expect(config.read().collections).toEqual({ notes });
  expect(openConfigFile(path).read().contexts).toEqual({
    "notes/old": "Before the move",
  });
  expect(configuredRoots(config)).toEqual([{ name: "notes", ...notes, ignore: undefined }]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("the default pattern is all Markdown files", () => {
  const { config } = home('{"collections":{"a":{"path":"/a"}}}');
  expect(config.read().collections.a?.pattern).toBe("**/*.{md,mdx,markdown}");
});

test("unknown keys are kept", () => {
  const { config, path } = home(
    '{"theme":"dark","collections":{"a":{"path":"/a","colour":"red"}},"models":{"embed":{"url":"x"}}}',
  );
  run(
    config.update((draft) => {
      draft.collections.notes = notes;
    }),
  );

  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
    theme: "dark",
    collections: { a: { path: "/a", colour: "red" }, notes },
    models: { embed: { url: "x" } },
  });
});

test("a file replaced by another program is read again, even in the same clock tick", () => {
  const { config, path } = home("{}");
  for (const letter of ["a", "b", "c", "d"]) {
    rmSync(path);
    writeFileSync(path, JSON.stringify({ collections: { [letter]: notes } }));
    expect(Object.keys(config.read().collections)).toEqual([letter]);
  }
});

test("reading twice without a change returns the same object", () => {
  const { config } = home("{}");
  expect(config.read()).toBe(config.read());
});

test("a byte order mark is accepted", () => {
  expect(home('\uFEFF{"contexts":{"a":"b"}}').config.read().contexts).toEqual({ a: "b" });
});

test("a collection named like a JavaScript property works like any other", () => {
  const { config } = home("{}");
  const name: string = "constructor";
  expect(config.read().collections[name]).toBeUndefined();
  run(
    config.update((draft) => {
      draft.collections[name] = notes;
    }),
  );
  expect(config.read().collections[name]).toEqual(notes);
});

test("[core.config.names] collection names that would break paths are refused", () => {
  for (const name of ["notes", "Meine Notizen", "文書", "a.b", "constructor", "x".repeat(100)]) {
    expect([name, collectionNameSchema.safeParse(name).success]).toEqual([name, true]);
  }
  const refused = ["", "a/b", "a\\b", "..", ".hidden", "a\nb", "a\0", " a", "\ud800", "__proto__"];
  for (const name of [...refused, "x".repeat(101)]) {
    expect([name, collectionNameSchema.safeParse(name).success]).toEqual([name, false]);
  }
});

test("an update that would make the file invalid changes nothing and names the field", () => {
  const { config, path } = home('{"collections":{"notes":{"path":"/library/notes"}}}');
  const before = readFileSync(path, "utf8");

  const failure = failureOf(() =>
    run(
      config.update((draft) => {
        draft.collections["a/b"] = notes;
      }),
    ),
  );

  expect(failure).toMatchObject({ kind: "invalid" });
  expect(failure.message).toContain(
    "'collections.a/b': a collection name must not contain a slash",
  );
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("a change that throws changes nothing", () => {
  const { config, folder } = home("{}");
  expect(() =>
    run(
      config.update(() => {
        throw new Error("changed my mind");
      }),
    ),
  ).toThrow("changed my mind");
  expect(readdirSync(folder)).toEqual(["config.json"]);
});

test("the last written version is kept as .bak, and no other file is left", () => {
  const { config, folder } = home();
  for (const name of ["first", "second"]) {
    run(
      config.update((draft) => {
        draft.collections = { [name]: notes };
      }),
    );
  }
  expect(readdirSync(folder).sort()).toEqual(["config.json", "config.json.bak"]);
  const [written, copy] = ["config.json", "config.json.bak"].map((name) =>
    readFileSync(join(folder, name), "utf8"),
  );
  expect(copy).toBe(written);
});

test("a configuration file that is a link stays a link", () => {
  const { config, path, folder } = home();
  writeFileSync(join(folder, "real.json"), '{"theme":"dark"}');
  symlinkSync("real.json", path);
  run(
    config.update((draft) => {
      draft.collections.notes = notes;
    }),
  );

  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(join(folder, "real.json"), "utf8"))).toMatchObject({
    theme: "dark",
    collections: { notes },
  });
});

test.each([
  ["cut", '{\n  "collections": {\n    "notes": ', /config\.json is not valid JSON/],
  ["a comma too many", '{\n "theme": "dark",\n}', /is not valid JSON at line 3/],
  ["empty", "", /is empty/],
  ["a list", "[]", /expected object/],
  ["a wrong kind", '{"collections":{"notes":{"path":7}}}', /'collections.notes.path'/],
  [
    "a bad name",
    '{"collections":{"a/b":{"path":"/a"}}}',
    /'collections.a\/b'.*not contain a slash/,
  ],
])(
  "[core.config.damaged] a damaged file (%s) is reported with its problem and the remedy",
  (_, text, problem) => {
    const { config, folder } = home(text);

    for (const work of [() => config.read(), () => run(config.update(() => undefined))]) {
      const failure = failureOf(work);
      expect(failure).toMatchObject({ kind: "conflict", code: "config-damaged" });
      expect(failure.message).toMatch(problem);
      expect(failure.explanation).toContain("lectern doctor --repair");
      expect(failure.explanation).not.toContain(folder);
    }
    expect(readFileSync(join(folder, "config.json"), "utf8")).toBe(text);
  },
);

test("[core.config.repair] repair keeps the damaged file and restores the last valid one", () => {
  const { config, path, folder } = home();
  for (const name of ["first", "second"]) {
    run(
      config.update((draft) => {
        draft.collections[name] = notes;
      }),
    );
  }
  writeFileSync(path, "{ broken");

  const done = repairConfig(path);

  expect(done).toMatchObject({
    problem: expect.stringContaining("not valid JSON"),
    setAside: expect.stringMatching(/^config\.json\.damaged-2\d{3}-/),
    restored: "the last good configuration",
  });
  expect(Object.keys(config.read().collections)).toEqual(["first", "second"]);
  expect(readFileSync(join(folder, done.setAside ?? ""), "utf8")).toBe("{ broken");
  expect(repairConfig(path)).toEqual({});
});

test("repair without a backup leaves an empty configuration", () => {
  const { config, path } = home("{ broken");
  writeFileSync(`${path}.bak`, "also { broken");
  expect(repairConfig(path).restored).toBe("an empty configuration");
  expect(config.read()).toEqual({ collections: {}, contexts: {} });
});

test("an unreadable file is reported by name and error code", () => {
  const { config, path } = home();
  mkdirSync(path);
  expect(failureOf(() => config.read()).message).toMatch(/config\.json cannot be read \(EISDIR\)/);
});

const changer = () =>
  childSource(`
    import { openConfigFile } from "./src/kernel/home/config.ts";
    import { openDatabase } from "./src/kernel/storage/database.ts";
    import { runSteps } from "./src/kernel/storage/sqlite-store.ts";
    const [, , folder, name, count] = process.argv;
    const db = openDatabase(folder + "/store.sqlite");
    const config = openConfigFile(folder + "/config.json");
    for (let turn = 0; turn < Number(count); turn++) {
      runSteps(db, config.update((draft) => { draft.collections[name + "-" + turn] = { path: "/x", pattern: "*" }; }));
      process.stdout.write(name + "-" + turn + "\\n");
    }
  `);

test("[core.config.together] six processes that change the file concurrently lose no change", async () => {
  const { folder, config } = home();
  const source = changer();
  const children = Array.from({ length: 6 }, (_, index) =>
    spawn(process.execPath, [source, folder, `process${index}`, "20"], { stdio: "ignore" }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));

  expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
  expect(Object.keys(config.read().collections)).toHaveLength(120);
});

test("[core.config.killed] a process killed while writing leaves a complete file with every acknowledged change", async () => {
  const { folder, config } = home();
  const source = changer();
  for (let turn = 0; turn < 5; turn++) {
    const child = spawn(process.execPath, [source, folder, `turn${turn}`, "100000"]);
    let result = "";
    child.stdout.on("data", (piece) => {
      result += piece;
      if (result.split("\n").length > 4 + turn) child.kill("SIGKILL");
    });
    await once(child, "close");
    const names = result.split("\n").filter(Boolean);
    expect(names.length).toBeGreaterThan(3);
    expect(Object.keys(config.read().collections)).toEqual(expect.arrayContaining(names));
  }
});

/** Changes the file in a store of its own, without other processes. */
function run<Result>(steps: Steps<Result>): Result {
  const db = openDatabase(":memory:");
  try {
    return runSteps(db, steps);
  } finally {
    db.close();
  }
}
