import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { objectTools, type ToolBody } from "../../../../tests/fixtures/objects/object-tools.ts";

const home = "# Home [[home: __Workspace]]\n";

interface Edit {
  file: string;
  line: number;
  start_col: number;
  end_col: number;
  old_text: string;
  new_text: string;
  kind: string;
}

const editsOf = (body: ToolBody): Edit[] => body.edits as Edit[];

/** Renames with the command, and returns all files afterwards. */
async function renamed(files: Record<string, string>, old: string, wanted: string) {
  const { folder, shell, call } = await objectTools({ "readme.qmd.md": home, ...files });
  const texts = () =>
    Object.fromEntries(
      Object.keys(files).map((name) => [name, readFileSync(folder.place(name), "utf8")]),
    );
  const rename = (from: string, to: string) => shell("objects", "rename", folder.root, from, to);
  const { code, err } = await rename(old, wanted);
  return { folder, texts, rename, call, code, err };
}

/** A text, and the expected text after `old` was renamed to `wanted`. */
const cases: [
  what: string,
  old: string,
  wanted: string,
  files: Record<string, [string, string]>,
][] = [
  [
    "a top object and references in every form",
    "lamp",
    "light",
    {
      "a.qmd.md": [
        "# Lamp [[lamp: Lamp]]\n\n- watts: 1\n",
        "# Lamp [[light: Lamp]]\n\n- watts: 1\n",
      ],
      "b.qmd.md": [
        "# B [[b]]\n\n- x: [[#lamp]], [[#Lamp:lamp]]\n- y: [[# lamp ]] and [[#lamp.watts]]\n\n[[#a#lamp]] lamp `[[#lamp]]`\n",
        "# B [[b]]\n\n- x: [[#light]], [[#Lamp:light]]\n- y: [[# light ]] and [[#light.watts]]\n\n[[#a#light]] lamp `[[#lamp]]`\n",
      ],
    },
  ],
  [
    "a nested object by its local name",
    "ops",
    "jobs",
    {
      "a.qmd.md": [
        "# S [[svc]]\n\n- see: [[#ops]]\n\n## Ops [[ops: Op]]\n\n- verb: GET\n\n### In [[in]]\n",
        "# S [[svc]]\n\n- see: [[#jobs]]\n\n## Ops [[jobs: Op]]\n\n- verb: GET\n\n### In [[in]]\n",
      ],
      "b.qmd.md": [
        "# B [[b]]\n\n- a: [[#svc.ops]]\n- b: [[#svc.ops.verb]]\n- c: [[#svc.ops.in]]\n- d: [[#ops.verb]]\n",
        "# B [[b]]\n\n- a: [[#svc.jobs]]\n- b: [[#svc.jobs.verb]]\n- c: [[#svc.jobs.in]]\n- d: [[#jobs.verb]]\n",
      ],
    },
  ],
  [
    "a parent with children, elements and dotted declarations elsewhere",
    "svc",
    "service",
    {
      "a.qmd.md": [
        "# S [[svc: S]]\n\n## Ops [[ops]]\n\n- v: 1\n\n## All [[all: [Item]]]\n\n### One [[one]]\n",
        "# S [[service: S]]\n\n## Ops [[ops]]\n\n- v: 1\n\n## All [[all: [Item]]]\n\n### One [[one]]\n",
      ],
      "b.qmd.md": [
        "# More [[svc.more]]\n\n- x: [[#svc.ops.v]], [[#svc.all.one]], [[#svc.more]]\n\n# Not [[svcs]]\n",
        "# More [[service.more]]\n\n- x: [[#service.ops.v]], [[#service.all.one]], [[#service.more]]\n\n# Not [[svcs]]\n",
      ],
    },
  ],
  [
    "an id that was made of a title",
    "old_title",
    "fresh",
    {
      "a.qmd.md": [
        "# Old title ##\n\n- v: 1\n\n# B [[b]]\n\n- x: [[#old_title]]\n",
        "# Old title [[fresh]]\n\n- v: 1\n\n# B [[b]]\n\n- x: [[#fresh]]\n",
      ],
    },
  ],
  [
    "an id that only a kind stands for",
    "only_kind",
    "fresh",
    { "a.qmd.md": ["# Only kind [[:Person]]\n", "# Only kind [[fresh:Person]]\n"] },
  ],
  [
    "an element whose id was made of its title",
    "svc.all.an_item",
    "item",
    {
      "a.qmd.md": [
        "# S [[svc]]\n\n## All [[all: [Item]]]\n\n### An item\n\n- v: 1\n\n# B [[b]]\n\n- x: [[#svc.all.an_item]]\n",
        "# S [[svc]]\n\n## All [[all: [Item]]]\n\n### An item [[item]]\n\n- v: 1\n\n# B [[b]]\n\n- x: [[#svc.all.item]]\n",
      ],
    },
  ],
  [
    "several references on a line, behind letters of two units, in lines of every ending",
    "a",
    "longer",
    {
      "a.qmd.md": [
        "\uFEFF# 𝕬 [[a]]\r\n\r\n😀 words\r\n\r\n- x: 😀 [[#a]] 𝕬 [[#a]][[#b]] [[#a.x]]\r\n\r\n# [[b]]\n",
        "\uFEFF# 𝕬 [[longer]]\r\n\r\n😀 words\r\n\r\n- x: 😀 [[#longer]] 𝕬 [[#longer]][[#b]] [[#longer.x]]\r\n\r\n# [[b]]\n",
      ],
      "b.qmd.md": [
        "# C [[c]]\r\r- x: [[#a]]\r- y: [[#a]]",
        "# C [[c]]\r\r- x: [[#longer]]\r- y: [[#longer]]",
      ],
    },
  ],
  [
    "one of two kinds that share an id, with its own children only",
    "Table:users",
    "people",
    {
      "a.qmd.md": [
        "# T [[users: Table]]\n\n## C [[cols]]\n\n# E [[users: Entity]]\n\n## C [[keys]]\n",
        "# T [[people: Table]]\n\n## C [[cols]]\n\n# E [[users: Entity]]\n\n## C [[keys]]\n",
      ],
      "b.qmd.md": [
        "# B [[b]]\n\n- x: [[#Table:users]], [[#Entity:users]], [[#users.cols]], [[#users.keys]]\n",
        "# B [[b]]\n\n- x: [[#Table:people]], [[#Entity:users]], [[#people.cols]], [[#users.keys]]\n",
      ],
    },
  ],
  [
    "an object of one namespace, and not its namesake of another",
    "one:svc",
    "service",
    {
      "one/readme.qmd.md": ["# [[one: __Namespace]]\n", "# [[one: __Namespace]]\n"],
      "one/a.qmd.md": [
        "# S [[svc]]\n\n- x: [[#svc.ops]], [[#two:svc.ops]]\n\n## [[ops]]\n",
        "# S [[service]]\n\n- x: [[#service.ops]], [[#two:svc.ops]]\n\n## [[ops]]\n",
      ],
      "two/readme.qmd.md": ["# [[two: __Namespace]]\n", "# [[two: __Namespace]]\n"],
      "two/a.qmd.md": [
        "# S [[svc]]\n\n- x: [[#svc.ops]], [[#one:svc.ops]]\n\n## [[ops]]\n",
        "# S [[svc]]\n\n- x: [[#svc.ops]], [[#one:service.ops]]\n\n## [[ops]]\n",
      ],
    },
  ],
  [
    "a namespace, wherever references name it",
    "api",
    "rest",
    {
      "api/readme.qmd.md": ["# [[api: __Namespace]]\n", "# [[rest: __Namespace]]\n"],
      "api/a.qmd.md": [
        "# [[users: T]]\n\n- x: [[#users]]\n",
        "# [[users: T]]\n\n- x: [[#users]]\n",
      ],
      "b.qmd.md": [
        "# [[b]]\n\n- x: [[#api:users]], [[#api:T:users]], [[#home:api:users]], [[#home:api:T:users]], [[#api]]\n",
        "# [[b]]\n\n- x: [[#rest:users]], [[#rest:T:users]], [[#home:rest:users]], [[#home:rest:T:users]], [[#rest]]\n",
      ],
    },
  ],
];

describe("[objects.rename.files] a rename changes references to the object and no other character", () => {
  for (const [what, old, wanted, files] of cases) {
    test(what, async () => {
      const before = Object.fromEntries(
        Object.entries(files).map(([name, [text]]) => [name, text]),
      );
      const after = Object.fromEntries(Object.entries(files).map(([name, [, to]]) => [name, to]));
      const { texts, code, err, call } = await renamed(before, old, wanted);
      expect([code, err]).toEqual([0, ""]);
      expect(texts()).toEqual(after);
      expect(await call("qmdc_validate_references")).toMatchObject({ diagnostics: [] });
    });
  }
});

test("[objects.rename.back] renaming there and back leaves every byte unchanged", async () => {
  const written = cases.filter(([what]) => !/made of|only a kind/.test(what));
  for (const [what, old, wanted, files] of written) {
    const before = Object.fromEntries(Object.entries(files).map(([name, [text]]) => [name, text]));
    const { texts, rename, call } = await renamed(before, old, wanted);
    const last = old.split(/[:.]/).at(-1) ?? "";
    const back = old.includes("one:") ? `one:${wanted}` : wanted;
    const { edits } = await call("qmdc_rename_object", { old_id: back, new_id: last });
    if (what.startsWith("one of two kinds")) {
      // The other kind still has the id, so a short reference would be ambiguous.
      expect(edits).toBeUndefined();
      continue;
    }
    expect((await rename(back, last)).err).toBe("");
    expect([what, texts()]).toEqual([what, before]);
  }
});

test("[objects.rename.plan] the plan lists each edit exactly and writes nothing", async () => {
  const text = "# 😀 [[lamp]]\r\n\r\n- x: 😀 [[#lamp]], [[#lamp]]\r\n";
  const { call, folder } = await objectTools({ "readme.qmd.md": home, "a.qmd.md": text });
  const body = await call("qmdc_rename_object", { old_id: "lamp", new_id: "light" });
  expect(body).toMatchObject({ old_id: "lamp", new_id: "light", edit_count: 3, total: 3 });
  expect(
    editsOf(body).map(({ line, start_col, end_col, kind }) => [line, start_col, end_col, kind]),
  ).toEqual([
    [1, 7, 11, "definition"],
    [3, 11, 15, "reference"],
    [3, 22, 26, "reference"],
  ]);
  for (const { line, start_col, end_col, old_text, new_text } of editsOf(body)) {
    expect(old_text).toBe(text.split("\r\n")[line - 1]);
    expect(old_text.slice(start_col, end_col)).toBe("lamp");
    expect(new_text).toBe(`${old_text.slice(0, start_col)}light${old_text.slice(end_col)}`);
  }
  expect(readFileSync(folder.place("a.qmd.md"), "utf8")).toBe(text);
  expect(await call("qmdc_rename_object", { old_id: "lamp", new_id: "lamp" })).toMatchObject({
    edit_count: 0,
  });
});

/** Invalid renames and their error messages. */
const refusals: [old: string, wanted: string, message: string | RegExp][] = [
  ["", "x", "old_id must not be empty"],
  ["a", " ", "new_id must not be empty"],
  ["none", "x", "no object with id 'none' found in workspace"],
  [
    "a",
    "x y",
    "new_id contains invalid characters: 'x y'. Only alphanumeric, dash, underscore, and dot are allowed.",
  ],
  ["a", "x]]", /invalid characters/],
  ["a", "a\nb", /invalid characters/],
  ["a", "x..y", "new_id must have a name before and after each dot"],
  ["a", "b", "new_id 'b' is already used by a Thing in a.qmd.md, line 3"],
  ["a", "kid", /would change the target of/],
  ["a", "gone.a", "the parent 'gone' of new_id 'gone.a' does not exist"],
  ["p.kid", "field", "new_id 'p.field' is already used by a field of 'p' in a.qmd.md, line 5"],
  ["p.kid", "q.kid", "new_id must keep the parent 'p'"],
  ["p", "r", /is already used/],
  ["p.rows.rows_0", "first", "'p.rows.rows_0' is a table row; its id cannot be renamed"],
  ["twin", "x", /is ambiguous: it matches a\.qmd\.md#.* and b\.qmd\.md#/],
];

describe("[objects.rename.refused] a rename that would collide or change a meaning is refused with a reason", () => {
  for (const [old, wanted, message] of refusals) {
    test(`${old} → ${JSON.stringify(wanted)}`, async () => {
      const { call } = await objectTools({
        "readme.qmd.md": home,
        "a.qmd.md":
          "# [[a]]\n\n# [[b: Thing]]\n\n# [[p]]\n\n- field: 1\n- see: [[#kid]]\n\n## [[kid]]\n\n## [[rows: [Row]]]\n\n| a |\n|---|\n| 1 |\n\n# [[twin]]\n",
        "b.qmd.md": "# [[twin]]\n\n# [[r.kid]]\n",
        "c.qmd.md": "# [[r]]\n",
      });
      expect(await call("qmdc_rename_object", { old_id: old, new_id: wanted })).toEqual({
        success: false,
        error: {
          code: old === "none" ? "not-found" : "invalid-argument",
          message: typeof message === "string" ? message : expect.stringMatching(message),
        },
      });
    });
  }
});

test("[objects.rename.virtual] a workspace that no file declares cannot be renamed", async () => {
  const { call } = await objectTools({ "a.qmd.md": "# [[a]]\n" });
  expect(await call("qmdc_rename_object", { old_id: "folder", new_id: "x" })).toMatchObject({
    error: { message: "'folder' is not defined in any file, so it cannot be renamed" },
  });
});

test("[objects.rename.encoding] a file that is not UTF-8 is neither edited nor damaged", async () => {
  const utf16 = Buffer.from("\uFEFF# [[a]]\n", "utf16le");
  const broken = Buffer.concat([Buffer.from("# [[b]]\n\n- x: "), Buffer.from([0xe9, 0x0a])]);
  const { call, folder, shell } = await objectTools({
    "readme.qmd.md": home,
    "a.qmd.md": utf16,
    "b.qmd.md": broken,
  });
  for (const id of ["a", "b"]) {
    expect(await call("qmdc_rename_object", { old_id: id, new_id: "x" })).toMatchObject({
      error: { message: `'${id}.qmd.md' is not UTF-8, so it is not changed.` },
    });
    expect((await shell("objects", "rename", folder.root, id, "x")).code).not.toBe(0);
  }
  expect(readFileSync(folder.place("a.qmd.md"))).toEqual(utf16);
  expect(readFileSync(folder.place("b.qmd.md"))).toEqual(broken);
});

test("[objects.rename.proposal] an agent proposes, a person accepts, and the change can be undone", async () => {
  const before = "# [[users: Table]]\n\n# [[users: Entity]]\n\n- of: [[#Table:users]]\n";
  const { call, shell, folder } = await objectTools({ "readme.qmd.md": home, "a.qmd.md": before });
  const text = () => readFileSync(folder.place("a.qmd.md"), "utf8");
  const asked = { old_id: "Table:users", new_id: "people", propose: true };
  const { proposal_id } = await call("qmdc_rename_object", asked);
  expect(text()).toBe(before);
  const waiting = await shell("proposals");
  expect(waiting.out).toContain("Rename 'users' to 'people' at 2 positions");
  expect(waiting.out).toContain("- # [[users: Table]]");
  expect(waiting.out).toContain("+ # [[people: Table]]");

  expect((await shell("proposals", "accept", String(proposal_id))).err).toBe("");
  expect(text()).toBe("# [[people: Table]]\n\n# [[users: Entity]]\n\n- of: [[#Table:people]]\n");
  expect(await call("qmdc_locate_object", { ref: "people" })).toMatchObject({ line: 1 });

  await shell("objects", "rename", folder.root, "Entity:users", "someone");
  const { out } = await shell("activity", "--json");
  const [change] = JSON.parse(out).changes.filter(({ summary }: { summary: string }) =>
    summary.includes("'people'"),
  );
  expect((await shell("undo", String(change.id))).err).toBe("");
  expect(text()).toBe("# [[users: Table]]\n\n# [[someone: Entity]]\n\n- of: [[#Table:users]]\n");
});

test("[objects.rename.proposal] identical proposals are made once, however often they are repeated", async () => {
  const lines = Array.from({ length: 600 }, (_, n) => `- k${n}: [[#a]] ${"x".repeat(200)}\n`);
  const { call, shell } = await objectTools({
    "readme.qmd.md": home,
    "a.qmd.md": `# [[a]]\n\n# [[b]]\n\n${lines.join("")}`,
  });
  const asked = { old_id: "a", new_id: "z", propose: true, limit: 1_000 };
  const { proposal_id, next_cursor, edit_count } = await call("qmdc_rename_object", asked);
  expect(edit_count).toBe(601);
  const next = await call("qmdc_rename_object", { ...asked, cursor: next_cursor });
  expect(next.proposal_id).toBe(proposal_id);
  expect((await shell("proposals")).out.match(/Rename 'a' to 'z'/g)).toHaveLength(1);
  expect(await call("qmdc_rename_object", { ...asked, new_id: "a" })).toMatchObject({
    error: { code: "invalid-argument", message: "the id is already 'a'" },
  });
});

test("[objects.rename.changed-meanwhile] accepting a proposal uses the current content of the files", async () => {
  const { call, shell, folder } = await objectTools({
    "readme.qmd.md": home,
    "a.qmd.md": "# [[a]]\n",
  });
  const { proposal_id } = await call("qmdc_rename_object", {
    old_id: "a",
    new_id: "z",
    propose: true,
  });
  writeFileSync(folder.place("b.qmd.md"), "# [[z]]\n");
  const refused = await shell("proposals", "accept", String(proposal_id));
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain("already used");
  folder.put("b.qmd.md", "# [[b]]\n\n- x: [[#a]]\n");
  expect((await shell("proposals", "accept", String(proposal_id))).code).toBe(0);
  expect(readFileSync(folder.place("b.qmd.md"), "utf8")).toContain("[[#z]]");
});

test("[objects.rename.read-only] with --read-only nothing is proposed or written", async () => {
  const { call, shell, folder } = await objectTools(
    { "readme.qmd.md": home, "a.qmd.md": "# [[a]]\n" },
    { readOnly: true },
  );
  const plan = { old_id: "a", new_id: "z" };
  expect(await call("qmdc_rename_object", plan)).toMatchObject({ success: true, edit_count: 1 });
  expect(await call("qmdc_rename_object", { ...plan, propose: true })).toMatchObject({
    error: { code: "read-only" },
  });
  const written = await shell("--read-only", "objects", "rename", folder.root, "a", "z");
  expect(written.code).not.toBe(0);
  expect(readFileSync(folder.place("a.qmd.md"), "utf8")).toBe("# [[a]]\n");
});
