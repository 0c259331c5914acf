import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { answerOf, outcomeOf } from "../../../../tests/fixtures/library/named-call.ts";
import { type Call, createCall } from "../../../kernel/call.ts";
import { readSettings } from "../../../kernel/home/settings.ts";
import { type App, openApp } from "../../../kernel/runtime/app.ts";
import { createLog } from "../../../kernel/runtime/log.ts";
import { search } from "../shelf.ts";

const person = { actor: { surface: "cli" } };

/** A library without collections, a folder of files, and the logged lines. */
function emptyLibrary(files: Record<string, string>) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "lectern-settings-")));
  const folder = join(home, "papers");
  for (const [path, text] of Object.entries(files)) put(folder, path, text);
  const logged: string[] = [];
  const library = openApp({
    shelves: [search],
    settings: readSettings({}, { LECTERN_HOME: join(home, ".home") }, home),
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: createLog({ level: "warn", write: (line) => logged.push(line) }),
  });
  onTestFinished(async () => {
    await library.close();
    rmSync(home, { recursive: true, force: true });
  });
  const call = (name: string, input: object) => answerOf(library, name, input, person);
  return { library, folder, logged, call, home };
}

function put(folder: string, path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** The text of an operation's output for people. */
async function shown(library: App, name: string, input: object): Promise<string> {
  const { present } = library.catalogue.find(name)?.operation ?? {};
  const outcome = await outcomeOf(library, name, input, person);
  if (!outcome.ok) throw outcome.failure;
  const blocks = present?.(outcome.value, { globPattern: "**/*.md", ...input }, "person") ?? [];
  return blocks.map((block) => (block.type === "text" ? block.text : "(document)")).join("\n");
}

test("[search.collections.pattern] without a pattern, Markdown files of every extension are indexed", async () => {
  const { call, folder } = emptyLibrary({
    "a.md": "a",
    "b.mdx": "b",
    "c.markdown": "c",
    "d.txt": "d",
  });

  expect(await call("add_collection", { path: folder, name: "papers" })).toMatchObject({
    documents: 3,
  });
});

test("[search.collections.unmatched] a folder without a matching file is added, and the types of its files listed", async () => {
  const { library, call, folder } = emptyLibrary({ "a.txt": "a", "deep/b.txt": "b", "c.png": "c" });

  const text = await shown(library, "add_collection", { path: folder, name: "papers" });
  expect(text).toBe(
    [
      "Added collection 'papers' with 0 documents",
      "No file matches **/*.md. The folder has 2 files .txt, 1 file .png.",
      "To index them: lectern collection set 'papers' --mask '**/*.txt'",
    ].join("\n"),
  );
  expect(await call("set_collection", { name: "papers", globPattern: "**/*.pdf" })).toMatchObject({
    documents: 0,
    unmatched: [
      { extension: "txt", files: 2 },
      { extension: "png", files: 1 },
    ],
  });
});

test("[search.collections.unmatched] a file that matches but is skipped is reported as skipped only", async () => {
  const { library, folder } = emptyLibrary({ "a.md": "\0\0a", "b.txt": "b" });

  const text = await shown(library, "add_collection", { path: folder, name: "papers" });
  expect(text).toBe(
    "Added collection 'papers' with 0 documents\nSkipped 1 file:\n  papers/a.md: it is not text",
  );
});

test("[search.collections.set] the mask and the folder of a collection can be changed, and the change undone", async () => {
  const { library, call, folder, home } = emptyLibrary({ "a.md": "a", "b.txt": "b" });
  put(join(home, "other"), "c.md", "c");
  await call("add_collection", { path: folder, name: "papers" });
  const files = async () =>
    JSON.stringify(await call("list_documents", {}))
      .match(/papers\/[^"]+/g)
      ?.join(" ");

  expect(await call("set_collection", { name: "papers", globPattern: "**/*.txt" })).toMatchObject({
    status: "changed",
    documents: 1,
  });
  expect(await files()).toBe("papers/b.txt");
  await call("set_collection", { name: "papers", path: join(home, "other"), globPattern: "*.md" });
  expect(await files()).toBe("papers/c.md");
  const [change] = (await library.runtime.store.run(library.runtime.changes.list({ limit: 1 })))
    .items;
  expect(await shown(library, "show_collection", { name: "papers" })).toMatch(
    /^papers: 1 document\n {2}Folder: {7}\S+other\n {2}Mask: {9}\*\.md\n {2}Last indexed: /,
  );
  for (const input of [{}, { path: join(home, "gone") }, { path: join(folder, "a.md") }]) {
    expect(
      (await outcomeOf(library, "set_collection", { name: "papers", ...input }, person)).ok,
    ).toBe(false);
  }
  expect(await files()).toBe("papers/c.md");
  const { changes } = library.runtime;
  await changes.undo(change?.id ?? 0, createCall(person) as Call, library.runtime);
  expect(await files()).toBe("papers/b.txt");
});

test("[search.approval.others] an agent can only propose to change a person's collection", async () => {
  const { library, call, folder } = emptyLibrary({ "a.md": "a" });
  await call("add_collection", { path: folder, name: "papers" });
  const input = { name: "papers", globPattern: "**/*.txt" };

  expect(
    await answerOf(library, "set_collection", input, {
      actor: { surface: "mcp", client: "claude" },
    }),
  ).toMatchObject({ status: "pending_approval", pattern: "**/*.{md,mdx,markdown}" });
  expect(library.runtime.config.read().collections.papers?.pattern).toBe("**/*.{md,mdx,markdown}");
});

test("[search.update.counts] update counts added, changed, removed and unchanged documents", async () => {
  const { library, call, folder } = emptyLibrary({ "a.md": "a", "b.md": "b", "c.md": "c" });
  await call("add_collection", { path: folder, name: "papers" });
  put(folder, "b.md", "changed");
  put(folder, "d.md", "new");
  rmSync(join(folder, "c.md"));

  expect(await shown(library, "update_collections", {})).toBe(
    "Updated 1 collection\n1 added, 1 changed, 1 removed, 1 unchanged",
  );
});

test("[search.skipped.once] a skipped file causes one warning, however often its folder is scanned", async () => {
  const { library, logged, folder, call } = emptyLibrary({ "a.md": "a", "b.md": "b" });
  const refresh = () => library.refreshIndex(person);
  writeFileSync(join(folder, "bad.md"), Buffer.from([0, 1, 2, 0, 255]));

  const added = await call("add_collection", { path: folder, name: "papers" });
  expect(added.skipped).toMatchObject([{ path: "papers/bad.md" }]);
  await refresh();
  await refresh();
  expect(logged).toEqual([]);
  writeFileSync(join(folder, "worse.md"), Buffer.from([0, 1, 2, 0, 255]));
  await refresh();
  await refresh();
  expect(logged).toEqual([expect.stringContaining('file="papers/worse.md"')]);
});

test.skipIf(process.platform !== "linux")(
  "[search.skipped.name] a file whose name is not valid UTF-8 is reported",
  async () => {
    const { call, folder, library } = emptyLibrary({ "a.md": "a" });
    execFileSync("sh", ["-c", `printf x > "$1/$(printf 'caf\\351.md')"`, "sh", folder]);

    expect(await call("add_collection", { path: folder, name: "papers" })).toMatchObject({
      documents: 1,
      skipped: [{ path: "papers/caf\uFFFD.md", reason: "its name is not valid UTF-8" }],
    });
    expect((await library.runtime.indexer.scan(library.runtime.roots())).isUnfinished).toBe(false);
  },
);

test("[search.collections.shown] people see the names, folders and masks of collections", async () => {
  const { library, call, folder } = emptyLibrary({ "a.md": "a" });
  await call("add_collection", { path: folder, name: "papers" });

  expect(await shown(library, "list_collections", {})).toBe(
    `Collections: 1\n- papers (1 docs)  ${folder}  **/*.{md,mdx,markdown}`,
  );
  expect(await shown(library, "status", {})).toContain(
    `\n    - ${folder} (1 docs), collection 'papers'`,
  );
});

test("[search.multi-get.header] people see the name of each file above its text", async () => {
  const { library, call, folder } = emptyLibrary({ "a.md": "a", "b.md": "b" });
  await call("add_collection", { path: folder, name: "papers" });
  const rule = "=".repeat(60);

  expect(await shown(library, "multi_get", { pattern: "papers/*.md" })).toBe(
    [`${rule}\nFile: papers/a.md\n${rule}`, "(document)"].join("\n") +
      ["", `${rule}\nFile: papers/b.md\n${rule}`, "(document)"].join("\n"),
  );
});

test("[search.collections.continued] after Ctrl+C, the same command continues to index the collection", async () => {
  const { library, call, folder } = emptyLibrary({ "a.md": "a", "b.md": "b" });
  const pattern = "**/*.md";
  const { config, store } = library.runtime;
  const adding = config.update(({ collections }) => {
    collections.papers = { path: folder, pattern };
  });
  await store.run(adding);
  const add = (input: object) =>
    call("add_collection", { path: folder, name: "papers", globPattern: pattern, ...input });

  await expect(add({ globPattern: "*.txt" })).rejects.toMatchObject({ kind: "conflict" });
  expect(await add({})).toMatchObject({ status: "added", documents: 2 });
  await expect(add({})).rejects.toMatchObject({ kind: "conflict" });
});
