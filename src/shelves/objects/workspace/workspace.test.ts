import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { objectFolder } from "../../../../tests/fixtures/objects/object-folder.ts";
import { parseFolderDeclaration } from "./workspace-root.ts";
import type { WorkspaceView } from "./workspace-view.ts";
import { maxWorkspaceFiles } from "./workspace-walk.ts";

const home = "# Home [[home: __Workspace]]\n";
const space = (id: string): string => `# Space [[${id}: __Namespace]]\n`;
const thing = (id: string): string => `# Thing [[${id}: Thing]]\n`;

const idsOf = ({ objects }: WorkspaceView): string[] => objects.map(({ globalId }) => globalId);
const complaintsOf = ({ allDiagnostics }: WorkspaceView): string[] =>
  allDiagnostics.map(({ type, file, line }) => `${type} ${file}:${line}`);

test("[objects.root.walk-up] the workspace of a path is the nearest one at or above it", async () => {
  const folder = objectFolder({
    "readme.qmd.md": home,
    "api/readme.qmd.md": space("api"),
    "api/v1/deep/users.qmd.md": thing("users"),
  });
  mkdirSync(folder.place("empty"));
  const places = [".", "api", "api/v1/deep", "api/v1/deep/users.qmd.md", "empty", folder.root];
  for (const path of places) {
    const view = await folder.view(path);
    expect([path, view.root, view.files.length]).toEqual([path, folder.root, 3]);
  }
});

test("[objects.root.namespace-alone] without a workspace the root is the namespace, else the folder itself", async () => {
  const folder = objectFolder({
    "api/readme.qmd.md": space("api"),
    "api/v1/users.qmd.md": thing("users"),
    "other/things.qmd.md": thing("thing"),
  });
  expect((await folder.view("api/v1")).root).toBe(folder.place("api"));
  expect((await folder.view("other")).root).toBe(folder.place("other"));
  expect(idsOf(await folder.view("api/v1"))).toEqual(["::api", "api::api", "api:api:users"]);
});

test("[objects.root.repository] the search for a root stops at the repository root", async () => {
  const folder = objectFolder({
    "readme.qmd.md": home,
    "clone/.git/HEAD": "",
    "clone/docs/one.qmd.md": thing("one"),
    "clone/empty/nothing.md": "",
  });
  expect((await folder.view("clone/docs")).root).toBe(folder.place("clone/docs"));
  await expect(folder.view("clone/empty")).rejects.toMatchObject({
    code: "not-resolved",
    message: "no workspace found at or above this path",
  });
});

test("[objects.root.bad-paths] a path that is empty or does not exist is refused", async () => {
  const folder = objectFolder({ "readme.qmd.md": home });
  await expect(folder.view("  ")).rejects.toMatchObject({ message: "path must not be empty" });
  await expect(folder.view("gone")).rejects.toMatchObject({ code: "not-found" });
  await expect(folder.view("a\0b")).rejects.toMatchObject({ kind: "invalid" });
});

test("[objects.root.marker] only `[[id: __Workspace]]` and `[[id: __Namespace]]` declare a folder", () => {
  const both = { workspace: true, namespace: true };
  expect(parseFolderDeclaration("# A [[a: __Workspace]]\n## B [[b:__Namespace]]")).toEqual(both);
  for (const text of ["[[: __Workspace]]", "[[a: __Workspaces]]", "[a: __Workspace]", "[[a", ""]) {
    expect([text, parseFolderDeclaration(text)]).toEqual([
      text,
      { workspace: false, namespace: false },
    ]);
  }
  expect(parseFolderDeclaration(`${"[[".repeat(100_000)}x: __Workspace]]`).workspace).toBe(true);
});

test("[objects.root.strange-anchors] an anchor that is not a regular file declares nothing and does not block", async () => {
  const folder = objectFolder({ "sub/one.qmd.md": thing("one") });
  mkdirSync(folder.place("readme.qmd.md"));
  symlinkSync("/dev/zero", folder.place("sub/readme.qmd.md"));
  expect((await folder.view("sub")).files).toEqual(["one.qmd.md"]);
});

test("[objects.files.which] files named *.qmd.md are read, except in hidden folders and package folders", async () => {
  const folder = objectFolder({
    "readme.qmd.md": home,
    "b.qmd.md": "",
    "a.qmd.md": "",
    "a/z.qmd.md": "",
    "a/readme.qmd.md": "",
    "plain.md": thing("plain"),
    "x.qmd.txt": thing("text"),
    ".hidden/h.qmd.md": thing("hidden"),
    "node_modules/p/n.qmd.md": thing("package"),
    "binary.qmd.md": new Uint8Array([35, 32, 0, 1]),
  });
  expect((await folder.view()).files).toEqual([
    "readme.qmd.md",
    "a.qmd.md",
    "b.qmd.md",
    "a/readme.qmd.md",
    "a/z.qmd.md",
  ]);
});

test("[objects.files.ignored] `.qmdcignore` excludes the files it names, in any folder", async () => {
  const folder = objectFolder({
    ".qmdcignore":
      "# comment\n\ndrafts/\n*.old.qmd.md\r\n/top.qmd.md\nnotes/private\n!keep.old.qmd.md\n",
    "readme.qmd.md": home,
    "top.qmd.md": "",
    "sub/top.qmd.md": "",
    "drafts/a.qmd.md": "",
    "sub/drafts/a.qmd.md": "",
    "b.old.qmd.md": "",
    "keep.old.qmd.md": "",
    "notes/private/a.qmd.md": "",
    "notes/public/a.qmd.md": "",
    "other/.qmdcignore": "a.qmd.md\n",
    "other/a.qmd.md": "",
    "other/b.qmd.md": "",
  });
  expect((await folder.view()).files).toEqual([
    "readme.qmd.md",
    "keep.old.qmd.md",
    "notes/public/a.qmd.md",
    "other/b.qmd.md",
    "sub/top.qmd.md",
  ]);
});

test("[objects.files.links] links to files inside are read, links to folders or outside are not", async () => {
  const folder = objectFolder({ "readme.qmd.md": home, "real/one.qmd.md": thing("one") });
  writeFileSync(join(folder.above, "secret.qmd.md"), thing("secret"));
  symlinkSync(folder.place("real/one.qmd.md"), folder.place("two.qmd.md"));
  symlinkSync(join(folder.above, "secret.qmd.md"), folder.place("out.qmd.md"));
  symlinkSync(folder.above, folder.place("way-out"));
  symlinkSync(".", folder.place("circle"));
  symlinkSync("circle.qmd.md", folder.place("circle.qmd.md"));
  expect((await folder.view()).files).toEqual(["readme.qmd.md", "two.qmd.md", "real/one.qmd.md"]);
});

test("[objects.files.bound] a workspace with more files than the limit is refused with its own code", async () => {
  const folder = objectFolder({ "readme.qmd.md": home });
  for (let number = 0; number < maxWorkspaceFiles; number++) {
    if (number % 1_000 === 0) mkdirSync(folder.place(`f${number / 1_000}`));
    writeFileSync(folder.place(`f${Math.floor(number / 1_000)}/${number}.qmd.md`), "");
  }
  await expect(folder.view()).rejects.toMatchObject({
    code: "reparse-bound-exceeded",
    message: "workspace has more than 10000 files",
  });
  folder.put(".qmdcignore", "f0/\n");
  expect((await folder.view()).files).toHaveLength(9_001);
});

test("[objects.workspace.namespaces] files belong to the nearest namespace above them", async () => {
  const folder = objectFolder({
    "readme.qmd.md": home,
    "free.qmd.md": thing("free"),
    "api/readme.qmd.md": `${space("api")}\n## Near [[near]]\n`,
    "api/v1/users.qmd.md": thing("users"),
    "api/inner/readme.qmd.md": space("inner"),
    "api/inner/deep/users.qmd.md": thing("users"),
  });
  expect(idsOf(await folder.view())).toEqual([
    "::home",
    "home::free",
    "home::api",
    "home:api:near",
    "home::inner",
    "home:inner:users",
    "home:api:users",
  ]);
});

test("[objects.workspace.virtual] if no workspace is declared, the folder is the workspace", async () => {
  const folder = objectFolder({ "a.qmd.md": thing("a"), "1/2/3/4/5/b.qmd.md": thing("b") });
  folder.put("1/2/3/4/5/6/too-deep.qmd.md", thing("deep"));
  const view = await folder.view();
  expect([view.id, idsOf(view)]).toEqual(["folder", ["::folder", "folder::a", "folder::b"]]);
  expect(view.objects[0]).toMatchObject({ kind: "__Workspace", file: "", line: 1 });
});

test("[objects.workspace.several] several workspaces below a folder form one view, including files outside any of them", async () => {
  const folder = objectFolder({
    "stray.qmd.md": thing("stray"),
    "one/readme.qmd.md": "# [[one: __Workspace]]\n",
    "one/a.qmd.md": `${thing("a")}\n- to: [[#a]]\n- far: [[#two::a]]\n`,
    "two/readme.qmd.md": "# [[two: __Workspace]]\n",
    "two/a.qmd.md": thing("a"),
    "none/readme.qmd.md": "# [[three: __Workspace]]\n",
  });
  const view = await folder.view();
  expect([view.id, idsOf(view)]).toEqual([
    null,
    ["::stray", "::three", "::one", "one::a", "::two", "two::a"],
  ]);
  expect(view.graph.edges.map(({ type, target }) => `${type} ${target.globalId}`)).toEqual([
    "to one::a",
    "far two::a",
  ]);
  expect((await folder.view("two")).id).toBe("two");
});

test("[objects.workspace.nested] a workspace inside a workspace is an error and is left out completely", async () => {
  const folder = objectFolder({
    "readme.qmd.md": home,
    "in/readme.qmd.md": "\n# [[inner: __Workspace]]\n",
    "in/deep/a.qmd.md": thing("a"),
  });
  const view = await folder.view();
  expect(idsOf(view)).toEqual(["::home"]);
  expect(view.allDiagnostics).toEqual([
    {
      type: "nested_workspace",
      message: "Nested workspace 'inner' found inside workspace. Workspaces cannot be nested.",
      file: "in/readme.qmd.md",
      line: 2,
      object: "inner",
      severity: "error",
    },
  ]);
});

test("[objects.workspace.wrong-file] a workspace declared in a file other than the anchor is ignored", async () => {
  const folder = objectFolder({ "home.qmd.md": `${home}\n## A [[a: Thing]]\n` });
  const view = await folder.view();
  expect([view.id, idsOf(view)]).toEqual([null, ["::a"]]);
  expect(view.allDiagnostics).toMatchObject([
    {
      type: "workspace_in_wrong_file",
      message: "Workspace 'home' must be defined in readme.qmd.md, not in 'home.qmd.md'.",
    },
  ]);
});

test("[objects.ids.one-id] objects with the same id all exist, each with its own global id", async () => {
  const folder = objectFolder({
    "readme.qmd.md": home,
    "a.qmd.md": "# T [[users: Table]]\n\n# E [[users: Entity]]\n\n# Again [[users: Table]]\n",
    "b.qmd.md": "# T [[users: Table]]\n\n# And [[users: Table]]\n",
  });
  const view = await folder.view();
  expect(idsOf(view)).toEqual([
    "::home",
    "home::users",
    "home::Entity:users",
    "home::Table:users",
    "home::users@b.qmd.md",
    "home::users@b.qmd.md:3",
  ]);
  for (const object of view.objects) {
    expect(view.resolver.resolve(object.globalId)).toEqual({ found: "object", object });
  }
});

test("[objects.ids.made-up] generated ids never collide, in any number of files", async () => {
  const folder = objectFolder({ "readme.qmd.md": home });
  for (const name of ["a", "b", "c/a"]) {
    folder.put(`${name}.qmd.md`, `Words of ${name}\n\n# Fields\n\n- of: ${name}\n\n## [[]]\n`);
  }
  const ids = idsOf(await folder.view());
  expect(ids.length).toBeGreaterThan(12);
  expect(new Set(ids).size).toBe(ids.length);
});

test("[objects.ids.dotted] a dotted id belongs to its parent, wherever the parent is defined", async () => {
  const folder = objectFolder({
    "readme.qmd.md": home,
    "a.qmd.md": "# Ops [[svc.ops]]\n\n# Lost [[none.ops]]\n",
    "b.qmd.md": "# Service [[svc]]\n",
  });
  const view = await folder.view();
  expect(view.objects.find(({ id }) => id === "svc.ops")?.parent).toBe("svc");
  expect(view.allDiagnostics).toMatchObject([
    { type: "broken_parent", message: "Parent object 'none' not found in workspace", line: 3 },
  ]);
});

test("[objects.diagnostics.duplicates] the same id twice for one kind in two files is reported, for two kinds it is not", async () => {
  const folder = objectFolder({
    "readme.qmd.md": home,
    "a.qmd.md": "# [[users: Table]]\n",
    "b.qmd.md": "# [[users: Entity]]\n\n# [[users: Table]]\n",
  });
  expect(complaintsOf(await folder.view())).toContain("duplicate_id b.qmd.md:3");
  folder.put("b.qmd.md", "# [[users: Entity]]\n");
  expect(complaintsOf(await folder.view())).toEqual([]);
});

test("[objects.files.two-kinds] in one file, two kinds with the same id are valid; two objects of one kind are reported", async () => {
  const both = (other: string): string => `# A [[users: Table]]\n\n# B [[users: ${other}]]\n`;
  const folder = objectFolder({
    "readme.qmd.md": home,
    "good.qmd.md": both("Entity"),
    "bad.qmd.md": both("Table").replaceAll("users", "orders"),
  });
  expect(complaintsOf(await folder.view())).toEqual(["duplicate_id bad.qmd.md:3"]);
});
