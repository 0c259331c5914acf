import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { badPaths } from "../../../../tests/fixtures/inputs/bad-paths.ts";
import { objectTools } from "../../../../tests/fixtures/objects/object-tools.ts";
import { Failure } from "../../../kernel/failure.ts";
import { createBoundary } from "../../../kernel/paths/boundary.ts";
import { findWorkspaceFile } from "./workspace-files.ts";

/** Contained in every file outside, and never sent by a test. */
const secret = "quicksilver";
const outside = `# Mercury [[${secret}: Metal]]\n\n- is: ${secret}\n`;

/** A server confined to a folder, with secret files outside it. */
async function lockedIn() {
  const tools = await objectTools(
    { "readme.qmd.md": "# Home [[home: __Workspace]]\n", "sub/one.qmd.md": "# One [[one]]\n" },
    ({ root }) => ({ forceRoot: root }),
  );
  const { folder } = tools;
  for (const place of ["folder-sibling", "elsewhere"]) {
    mkdirSync(join(folder.above, place));
    writeFileSync(join(folder.above, place, "readme.qmd.md"), outside);
    writeFileSync(join(folder.above, place, "secret.qmd.md"), outside);
  }
  symlinkSync(join(folder.above, "elsewhere"), folder.place("way-out"));
  symlinkSync(join(folder.above, "elsewhere/secret.qmd.md"), folder.place("link.qmd.md"));
  linkSync(join(folder.above, "elsewhere/secret.qmd.md"), folder.place("second-name.qmd.md"));
  return tools;
}

/** Every tool, with a typical input. */
const tools: Record<string, Record<string, unknown>> = {
  qmdc_locate_object: { ref: "one" },
  qmdc_describe_object: { ref: "one" },
  qmdc_search_objects: { query: "one" },
  qmdc_outline_file: { file: "sub/one.qmd.md" },
  qmdc_get_tree: {},
  qmdc_describe_metamodel: {},
  qmdc_dump_index: {},
  qmdc_find_references: { id: "one" },
  qmdc_traverse_graph: { start_id: "one" },
  qmdc_find_path: { from_id: "one", to_id: "one" },
  qmdc_validate_references: {},
  qmdc_query_sql: { sql: "SELECT * FROM objects" },
  qmdc_rename_object: { old_id: "one", new_id: "uno" },
};

test("[objects.force-root.outside] every tool and resource refuses a path outside, with its own code", async () => {
  const { call, read, folder } = await lockedIn();
  const outsidePaths = [
    folder.above,
    join(folder.above, "elsewhere"),
    `${folder.root}-sibling`,
    "/etc",
    "/nowhere/at/all",
    folder.place("way-out"),
    folder.place("way-out/secret.qmd.md"),
    folder.place("../elsewhere"),
    "..",
  ];
  for (const [tool, input] of Object.entries(tools)) {
    expect([tool, (await call(tool, input)).success]).toEqual([tool, true]);
    for (const path of outsidePaths) {
      const { error } = await call(tool, { ...input, path });
      expect([tool, path, error?.code]).toEqual([tool, path, "out-of-root"]);
    }
  }
  for (const noun of ["tree", "diagnostics", "object/one"]) {
    const { body } = await read(noun, `?path=${encodeURIComponent(folder.above)}`);
    expect(body).toMatchObject({ success: false, error: { code: "out-of-root" } });
  }
});

test("[objects.force-root.root-above] a path inside is refused if its workspace root is outside", async () => {
  const { call, folder } = await objectTools(
    { "readme.qmd.md": "# Home [[home: __Workspace]]\n", "inner/one.qmd.md": "# One [[one]]\n" },
    ({ place }) => {
      mkdirSync(place("inner"), { recursive: true });
      return { forceRoot: place("inner") };
    },
  );
  const path = folder.place("inner");
  expect(await call("qmdc_get_tree", { path })).toMatchObject({ error: { code: "out-of-root" } });
});

test("[objects.force-root.links] symbolic and hard links give no access to files outside", async () => {
  const { call } = await lockedIn();
  const dump = await call("qmdc_dump_index");
  expect(dump.files).toEqual(["readme.qmd.md", "sub/one.qmd.md"]);
  expect(JSON.stringify(dump)).not.toContain(secret);
});

test(`[objects.force-root.bad-paths] no hostile path escapes, neither as path nor as file: ${badPaths.origin}`, async () => {
  const { folder } = await lockedIn();
  const boundary = createBoundary({ base: folder.root, forceRoot: folder.root });
  const workspaces = folder.open(folder.root);
  const view = await workspaces.read(".");
  const refused = (error: unknown): string => (error instanceof Failure ? error.code : `${error}`);
  const codes = ["out-of-root", "not-found", "not-resolved", "invalid-argument", "no-permission"];
  for (const bad of badPaths.lines) {
    const led = await workspaces.read(bad).then(({ root }) => root, refused);
    expect([folder.root, ...codes], bad).toContain(led);
    let named: string;
    try {
      named = findWorkspaceFile(view, bad, boundary);
    } catch (error) {
      named = refused(error);
    }
    expect([...view.files, ...codes], bad).toContain(named);
  }
});

test("[objects.force-root.files] a file outside is refused with its own code, whether it exists or not", async () => {
  const { call, folder } = await lockedIn();
  const names = ["/etc/passwd", "../elsewhere/secret.qmd.md", "../elsewhere/none", "way-out/x"];
  for (const file of [...names, join(folder.above, "elsewhere/secret.qmd.md")]) {
    for (const tool of ["qmdc_outline_file", "qmdc_validate_references"]) {
      const { error } = await call(tool, { file });
      expect([tool, file, error?.code]).toEqual([tool, file, "out-of-root"]);
      expect(error?.message).toContain(`'${file}' is outside the root.`);
    }
  }
});

test("[objects.force-root.swaps] swapping a path for a link at any moment gives no access outside", async () => {
  const { call, folder } = await lockedIn();
  folder.put("swap/secret.qmd.md", "# Harmless [[harmless]]\n");
  const swapper = new Worker(
    `const { renameSync, symlinkSync, rmSync } = require("node:fs");
     const { workerData: { place, outside } } = require("node:worker_threads");
     symlinkSync(outside, place + ".link");
     for (;;) {
       try {
         renameSync(place, place + ".real");
         renameSync(place + ".link", place);
         renameSync(place, place + ".link");
         renameSync(place + ".real", place);
       } catch {}
     }`,
    {
      eval: true,
      workerData: { place: folder.place("swap"), outside: join(folder.above, "elsewhere") },
    },
  );
  onTestFinished(async () => {
    await swapper.terminate();
  });
  for (let round = 0; round < 100; round++) {
    const answers = [
      await call("qmdc_dump_index"),
      await call("qmdc_dump_index", { path: folder.place("swap") }),
      await call("qmdc_outline_file", { file: "swap/secret.qmd.md" }),
    ];
    expect(JSON.stringify(answers)).not.toMatch(new RegExp(`${secret}|internal-error`));
  }
});
