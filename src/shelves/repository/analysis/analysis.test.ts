import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { analysed, madeRepository } from "../../../../tests/fixtures/repository/made-repository.ts";
import { repositoryLibrary } from "../../../../tests/fixtures/repository/repository-library.ts";
import type { Outcome } from "../../../kernel/calls/perform.ts";
import type { ResourceContent } from "../../../kernel/operations/output-block.ts";
import { type App, openApp } from "../../../kernel/runtime/app.ts";
import { repository } from "../shelf.ts";

const lamps: Record<string, string> = {
  "README.md": "# Lamps\n\nAll about lamps.\n",
  "package.json": JSON.stringify({
    name: "lamps",
    version: "1.0.0",
    main: "./dist/index.js",
    bin: { lamp: "./dist/cli.js" },
    dependencies: { "left-pad": "1" },
    devDependencies: { vitest: "1" },
  }),
  "src/index.ts": "export function light(lamp: string): string { return lamp; }\n",
  "src/cli.ts": "light('a');\n",
  "src/index.test.ts": "export const nothing = 1;\n",
  "docs/tutorials/first-lamp.md": "# Your first lamp\n\nIn this tutorial we will build a lamp.\n",
  "docs/how-to/clean.md": "# How to clean a lamp\n\n1. Take it.\n2. Wash it.\n3. Dry it.\n",
  "docs/reference/api.md": "# API reference\n\n## Parameters\n\n## Returns\n",
};

/** A resource of one part, in JSON. */
function contentOf(read: Outcome<ResourceContent[]>): unknown {
  const first = read.ok ? read.value[0] : undefined;
  return first && "text" in first ? JSON.parse(first.text) : undefined;
}

test("[repository.analysis.shape] the answer keeps the original's shape", async () => {
  const { output } = repositoryLibrary(lamps);
  const answer = await output("analyze_repository", { path: "." });

  expect(answer).toMatchObject({
    success: true,
    metadata: { analysisId: answer.data.id },
    data: {
      path: ".",
      structure: {
        totalFiles: 8,
        totalDirectories: 5,
        languages: { md: 4, ts: 3, json: 1 },
        hasTests: true,
        hasCI: false,
        hasDocs: true,
      },
      dependencies: { ecosystem: "javascript", packages: ["left-pad"], devPackages: ["vitest"] },
      documentation: {
        hasReadme: true,
        hasContributing: false,
        hasLicense: false,
        estimatedComplexity: "moderate",
      },
      recommendations: { primaryLanguage: "TypeScript", projectType: "library", teamSize: "solo" },
      depth: "standard",
    },
  });
  expect(answer.nextSteps).toContainEqual(
    expect.objectContaining({ toolRequired: "recommend_ssg" }),
  );
});

test("[repository.analysis.shape] progress only increases, and the log has the documented text", async () => {
  const { library } = repositoryLibrary(lamps);
  const received: [number, string | undefined][] = [];
  const wholes = new Set<number | undefined>();
  const logged: string[] = [];
  const outcome = await library.call(
    analysisIn(library),
    { path: ".", depth: "deep" },
    {
      actor: { surface: "test" },
      onProgress(done, total, message) {
        received.push([done, message]);
        wholes.add(total);
      },
      onLog: (_level, message) => logged.push(message),
    },
  );
  const counts = received.map(([done]) => done);

  expect(outcome.ok).toBe(true);
  expect(new Set(received.map(([, message]) => message))).toEqual(
    new Set(["Reading files", "Reading code"]),
  );
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  // If the total grew meanwhile, the percentage would fall.
  expect([...wholes]).toEqual([24]);
  expect(logged).toContain("Repository analysis completed");
});

function analysisIn({ catalogue }: App) {
  const entry = catalogue.find("analyze_repository");
  if (!entry) throw new Error("There is no analysis.");
  return entry;
}

test("[repository.analysis.missing] a missing path fails with the documented message", async () => {
  const { failure } = repositoryLibrary(lamps);

  expect((await failure("analyze_repository", { path: "nowhere" })).message).toBe(
    "Repository path does not exist",
  );
  expect((await failure("analyze_repository", { path: "README.md" })).message).toBe(
    "Repository path is not a folder",
  );
  expect((await failure("analyze_repository", { path: "" })).message).toContain("'path'");
});

describe("[repository.analysis.depths] each depth adds facts", () => {
  test("names and manifests, then pages, then symbols", async () => {
    const root = madeRepository(lamps);
    const [quick, standard, deep] = await Promise.all(
      (["quick", "standard", "deep"] as const).map((depth) => analysed(root, depth)),
    );

    expect(quick?.facts).toEqual(deep?.facts);
    expect(quick).not.toHaveProperty("pages");
    expect(standard?.pages).toHaveLength(4);
    expect(standard).not.toHaveProperty("symbols");
    expect(deep?.symbols).toContainEqual({
      symbol: "light",
      kind: "function",
      file: "src/index.ts",
      line: 1,
    });
    expect(deep?.symbols?.map(({ file }) => file)).not.toContain("src/index.test.ts");
  });
});

describe("[repository.analysis.id] the id depends on the content", () => {
  test("the same content in another folder has the same id", async () => {
    const [one, other] = [madeRepository(lamps), madeRepository(lamps)];

    for (const depth of ["quick", "standard"] as const) {
      expect((await analysed(one, depth)).id).toBe((await analysed(other, depth)).id);
    }
  });

  test("a character, a name and a depth change the id", async () => {
    const root = madeRepository(lamps);
    const ids = new Set<string>();
    const take = async (depth: "quick" | "standard" = "standard") =>
      ids.add((await analysed(root, depth)).id);
    await take();
    await take("quick");
    writeFileSync(join(root, "src/cli.ts"), "light('b');\n");
    await take();
    mkdirSync(join(root, "more"));
    writeFileSync(join(root, "more/a.txt"), "");
    await take();
    await take("quick");

    expect(ids.size).toBe(5);
  });
});

test("[repository.analysis.pages] pages have a kind with evidence", async () => {
  const { pages } = await analysed(madeRepository(lamps), "standard");
  const types = Object.fromEntries((pages ?? []).map(({ file, type }) => [file, type]));

  expect(types).toMatchObject({
    "docs/tutorials/first-lamp.md": "tutorial",
    "docs/how-to/clean.md": "how-to",
    "docs/reference/api.md": "reference",
  });
  expect(pages?.find(({ file }) => file.endsWith("clean.md"))).toMatchObject({
    title: "How to clean a lamp",
    evidence: expect.arrayContaining(["folder how-to/"]),
  });
});

test("[repository.analysis.entry-points] build output is represented by its source", async () => {
  const { entryPoints } = await analysed(madeRepository(lamps));

  expect(entryPoints).toEqual([
    { file: "src/index.ts", kind: "main" },
    { file: "src/cli.ts", kind: "bin", name: "lamp" },
  ]);
});

describe("[repository.analysis.kept] an analysis is kept", () => {
  test("it is a resource, and a process started later finds its id", async () => {
    const { library, data } = repositoryLibrary(lamps);
    const { id, resourceUri } = await data("analyze_repository", { path: "." });
    expect(resourceUri).toBe(`documcp://analysis/${id}`);
    const { settings, identity, log } = library;
    const again = openApp({ shelves: [repository], settings, identity, log });
    const actor = { actor: { surface: "test" } };
    const read = await again.readResource(resourceUri, actor);
    const missing = await again.readResource("documcp://analysis/none", actor);
    const entries = await again.listResources();
    await again.close();

    expect(contentOf(read)).toMatchObject({ id });
    expect(missing).toMatchObject({ ok: false, failure: { message: "Resource not found" } });
    expect(entries.map(({ uri }) => uri)).toContain(resourceUri);
  });

  test("an unreadable one is unknown until it is created again", async () => {
    const { library, output, failure } = repositoryLibrary({ "README.md": "# Lamp\n" });
    const { data } = await output("analyze_repository", { path: "." });
    library.runtime.db.run("UPDATE repository_analyses SET analysis = '{\"id\":'");

    expect((await failure("recommend_ssg", { analysisId: data.id })).hints).toEqual([
      "Call analyze_repository and use the id of its result.",
    ]);
    await output("analyze_repository", { path: "." });
    expect((await output("recommend_ssg", { analysisId: data.id })).success).toBe(true);
  });

  test("an unknown id is reported with the remedy", async () => {
    const { failure } = repositoryLibrary(lamps);

    expect((await failure("recommend_ssg", { analysisId: "analysis_x" })).explanation).toContain(
      "analyze_repository",
    );
  });
});

test("[repository.analysis.bounded] a long list is truncated in the answer, and complete in the resource", async () => {
  const { data, library, write } = repositoryLibrary(lamps);
  for (let number = 0; number < 130; number++)
    write(`docs/more/${number}.md`, `# Page ${number}\n`);
  const shown = await data("analyze_repository", { path: "." });
  const whole = await library.readResource(shown.resourceUri, { actor: { surface: "test" } });

  expect(shown.pages).toHaveLength(50);
  expect(shown).toMatchObject({ truncated: true, remaining: { pages: 84, existingDocs: 84 } });
  expect(contentOf(whole)).toHaveProperty("pages.length", 134);
});

test("[repository.analysis.adr] decision folders are offered, fixtures are not", async () => {
  const record = "# 1. Use lamps\n\n## Status\n\nAccepted\n";
  const { output } = repositoryLibrary({
    ...lamps,
    "docs/adr/0001-use-lamps.md": record,
    "docs/decisions/readme.md": "# Decisions\n",
    "test/project/docs/adr/0001-fixture.md": record,
  });
  const { data, nextSteps } = await output("analyze_repository", { path: "." });

  expect(data.adrFolders).toEqual(["docs/adr"]);
  expect(nextSteps).toContainEqual(
    expect.objectContaining({
      action: "Consult the decision records in docs/adr",
      toolRequired: "decisions",
    }),
  );
});

const timeIsOver = new DOMException("The time is over.", "TimeoutError");

describe("[repository.analysis.partial] at the time limit", () => {
  test("an interrupted one says where, and has another id", async () => {
    const root = madeRepository(lamps);
    const whole = await analysed(root);
    const part = await analysed(root, "quick", AbortSignal.abort());

    expect(whole).not.toHaveProperty("partial");
    expect(part).toMatchObject({ partial: true, stopped_at: "README.md", facts: { files: 0 } });
    expect(part.id).not.toBe(whole.id);
    expect(await analysed(root, "deep", AbortSignal.abort())).toMatchObject({ partial: true });
  });

  test("an interrupted call returns its partial result, and no failure", async () => {
    const { library } = repositoryLibrary(lamps);
    const logged: string[] = [];
    const outcome = await library.call(
      analysisIn(library),
      { path: "." },
      {
        actor: { surface: "test" },
        signal: AbortSignal.abort(timeIsOver),
        onLog: (_level, message) => logged.push(message),
      },
    );

    expect(outcome).toMatchObject({
      ok: true,
      value: { data: { partial: true, stopped_at: "README.md" } },
    });
    expect(outcome.ok && outcome.value.nextSteps).toContainEqual(
      expect.objectContaining({ toolRequired: "analyze_repository", priority: "high" }),
    );
    expect(logged).toEqual(["Repository analysis stopped early"]);
  });

  test("a cancelled one is not stored, announced or logged as completed", async () => {
    const { library } = repositoryLibrary(lamps);
    const caller = new AbortController();
    const notices: string[] = [];
    library.subscribe(({ topic }) => notices.push(topic));
    const outcome = await library.call(
      analysisIn(library),
      { path: "." },
      {
        actor: { surface: "test" },
        signal: caller.signal,
        onProgress: () => caller.abort("No longer needed"),
        onLog: (_level, message) => notices.push(message),
      },
    );
    const entries = await library.listResources();

    expect(outcome).toMatchObject({ ok: false, failure: { code: "cancelled" } });
    expect(notices.filter((one) => one !== "system.changed")).toEqual([]);
    expect(entries.filter(({ uri }) => uri.startsWith("documcp://analysis"))).toEqual([]);
  });
});

test("[repository.analysis.partial] facts collected before the time limit are complete", async () => {
  const { library } = repositoryLibrary(lamps);
  const time = new AbortController();
  const outcome = await library.call(
    analysisIn(library),
    { path: "." },
    { actor: { surface: "test" }, signal: time.signal, onProgress: () => time.abort(timeIsOver) },
  );

  expect(outcome).toMatchObject({
    ok: true,
    value: { data: { partial: true, facts: { files: 8, docs_paths: ["docs/"] }, pages: [] } },
  });
});

test("[repository.analysis.force-root] paths outside a force root are neither analyzed nor stored", async () => {
  const { library, data, root } = repositoryLibrary(lamps);
  const { id } = await data("analyze_repository", { path: "." });
  const { settings, identity, log } = library;
  mkdirSync(join(root, "..", "fence"));
  const fenced = openApp({
    shelves: [repository],
    settings: {
      ...settings,
      root: join(root, "..", "fence"),
      forceRoot: join(root, "..", "fence"),
    },
    identity,
    log,
  });
  const actor = { actor: { surface: "test" } };
  const outcome = await fenced.call(analysisIn(fenced), { path: root }, actor);
  const resource = await fenced.readResource(`documcp://analysis/${id}`, actor);
  const entries = await fenced.listResources();
  await fenced.close();
  rmSync(join(root, "..", "fence"), { recursive: true });

  expect(outcome).toMatchObject({ ok: false, failure: { kind: "forbidden" } });
  expect(resource).toMatchObject({ ok: false });
  expect(entries.filter(({ uri }) => uri.startsWith("documcp://analysis"))).toEqual([]);
});

describe("[repository.directory.entries] listing one directory", () => {
  test("entries have a kind and a size, ordered by name", async () => {
    const { data } = repositoryLibrary({ "b.md": "12345", "a/c.md": "", ".env": "x" });

    expect(await data("read_directory", { path: "." })).toMatchObject({
      entries: [
        { name: ".env", kind: "file", size: 1 },
        { name: "a", kind: "directory" },
        { name: "b.md", kind: "file", size: 5 },
      ],
      totalFiles: 2,
      totalDirectories: 1,
      truncated: false,
    });
  });

  test("a long one is read in pages", async () => {
    const { data } = repositoryLibrary({ "a.md": "", "b.md": "", "c.md": "" });
    const first = await data("read_directory", { path: ".", limit: 2 });
    const second = await data("read_directory", { path: ".", limit: 2, cursor: first.next_cursor });

    expect(first).toMatchObject({ truncated: true, remaining: 1 });
    expect(second.entries).toEqual([{ name: "c.md", kind: "file", size: 0 }]);
  });
});
