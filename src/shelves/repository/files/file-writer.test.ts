import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerOf } from "../../../../tests/fixtures/library/named-call.ts";
import {
  type Data,
  repositoryLibrary,
} from "../../../../tests/fixtures/repository/repository-library.ts";
import { renderWriteResult } from "./file-writer.ts";

/** Every operation that generates files, with a call and its output folder. */
const writers: { name: string; input: object; folder?: string; replacing?: object }[] = [
  { name: "generate_config", input: { ssg: "mkdocs", projectName: "Lamp", outputPath: "." } },
  { name: "setup_structure", input: { path: "docs", ssg: "docusaurus" }, folder: "docs/" },
  {
    name: "populate_diataxis_content",
    input: { path: ".", docsPath: "docs" },
    folder: "docs/",
    replacing: { preserveExisting: false },
  },
  {
    name: "deploy_pages",
    input: { repository: ".", ssg: "hugo", customDomain: "docs.example.org" },
  },
  { name: "deploy_site", input: { repository: ".", ssg: "jekyll", target: "vercel" } },
];

const everything = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: "utf8" }).sort();

for (const { name, input, folder = "", replacing = {} } of writers) {
  describe(name, () => {
    test("[repository.writing.dry-run] a dry run shows the diff and writes nothing", async () => {
      const { data, text, root } = repositoryLibrary({ "README.md": "# Lamp\n" });
      const before = everything(root);
      const { diff, filesCreated, dryRun, changeId } = await data(name, {
        ...input,
        dry_run: true,
      });

      expect(everything(root)).toEqual(before);
      expect({ dryRun, changeId }).toEqual({ dryRun: true, changeId: undefined });
      expect(filesCreated.length).toBeGreaterThan(0);
      for (const file of filesCreated) expect(diff).toContain(`+++ b/${file}`);
      expect(await text(name, { ...input, dry_run: true })).toContain(diff);
    });

    test("[repository.writing.undo] a write is undone, including created folders, and redone", async () => {
      const { data, output, root } = repositoryLibrary({ "README.md": "# Lamp\n" });
      const before = everything(root);
      const { changeId } = await data(name, input);
      const after = everything(root);
      const { by } = await output("undo_change", { id: changeId });

      expect(everything(root)).toEqual(before);
      await output("undo_change", { id: by.id });
      expect(everything(root)).toEqual(after);
    });

    test("[repository.writing.no-overwriting] existing files are replaced only on request", async () => {
      const library = repositoryLibrary({ "README.md": "# Lamp\n" });
      const { filesCreated } = await library.data(name, { ...input, dry_run: true });
      const file = folder + filesCreated[0];
      library.write(file, "mine\n");
      const strict = { ...input, ...replacing };
      const before = everything(library.root);

      expect(await library.failure(name, strict)).toMatchObject({
        kind: "conflict",
        message: expect.stringContaining(filesCreated[0]),
        hints: [expect.stringContaining("overwrite: true")],
      });
      expect(everything(library.root)).toEqual(before);
      expect(library.read(file)).toBe("mine\n");
      const byPerson = { actor: { surface: "cli" } };
      const replaced = { ...strict, overwrite: true };
      const { data } = await answerOf(library.library, name, replaced, byPerson);
      expect(library.read(file)).not.toBe("mine\n");
      await library.output("undo_change", { id: (data as Data).changeId });
      expect(library.read(file)).toBe("mine\n");
    });

    test("[repository.writing.others-files] an agent proposes to replace what a person wrote or edited", async () => {
      const library = repositoryLibrary({ "README.md": "# Lamp\n" });
      const { filesCreated } = await library.data(name, input);
      const file = folder + filesCreated[0];
      const made = library.read(file);
      const replaced = { ...input, ...replacing, overwrite: true };
      library.write(file, `${made}A line of mine.\n`);
      const asked = await library.data(name, replaced);

      expect(asked.filesUpdated).toContain(filesCreated[0]);
      expect(asked).not.toHaveProperty("changeId");
      expect(library.read(file)).toBe(`${made}A line of mine.\n`);
      expect(await library.data(name, replaced)).toEqual(asked);
      expect(await library.text(name, replaced)).toContain(
        `Nothing is written yet: this replaces files that no agent wrote. Proposal ${asked.proposalId}`,
      );
      expect(asked.status).toBe("pending_approval");
      const id = asked.proposalId;
      await answerOf(library.library, "accept_proposal", { id }, { actor: { surface: "web" } });
      expect(library.read(file)).not.toContain("A line of mine.");
    });
  });
}

test("[repository.writing.others-files] an agent may replace an agent's file repeatedly", async () => {
  const { data, read } = repositoryLibrary();
  const config = { ssg: "mkdocs", outputPath: ".", overwrite: true };
  for (const projectName of ["Lamp", "Lantern", "Lighthouse"]) {
    const { changeId } = await data("generate_config", { ...config, projectName });
    expect(changeId).toBeTypeOf("number");
    expect(read("mkdocs.yml")).toContain(projectName);
  }
});

test("[repository.writing.unchanged] identical files are not written again", async () => {
  const { data } = repositoryLibrary();
  const input = { path: "docs", ssg: "mkdocs" };
  const { filesCreated } = await data("setup_structure", input);
  const again = await data("setup_structure", input);

  expect(again).toMatchObject({ filesCreated: [], filesUnchanged: filesCreated, diff: "" });
  expect(again).not.toHaveProperty("changeId");
});

describe("[repository.writing.inside] nothing is written outside", () => {
  test("a folder that links elsewhere is refused, and nothing is left behind", async () => {
    const { failure, root } = repositoryLibrary();
    const outside = join(dirname(root), "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(root, ".github"));

    expect(await failure("deploy_pages", { repository: ".", ssg: "hugo" })).toMatchObject({
      kind: "forbidden",
    });
    expect(readdirSync(outside)).toEqual([]);
  });

  for (const { name, input, folder = "" } of writers) {
    test(`${name}: a path that a link leads elsewhere is refused, and a path that is elsewhere is not`, async () => {
      const { failure, data, root } = repositoryLibrary();
      const outside = join(dirname(root), "outside");
      mkdirSync(outside);
      symlinkSync(outside, join(root, "link"));
      const key = Object.keys(input).find((one) => /^(outputPath|docsPath|repository)$/.test(one));
      const at = (path: string) => ({ ...input, [key ?? "path"]: path });

      for (const path of ["link", `link/${folder}deeper`]) {
        expect((await failure(name, at(path))).kind).toMatch(/forbidden|not-found/);
      }
      expect(readdirSync(outside)).toEqual([]);
      expect((await data(name, at(outside))).filesCreated.length).toBeGreaterThan(0);
    });
  }

  test("a file that links elsewhere is not written through", async () => {
    const { failure, root } = repositoryLibrary();
    const victim = join(dirname(root), "victim.yml");
    writeFileSync(victim, "theirs\n");
    symlinkSync(victim, join(root, "mkdocs.yml"));
    const input = { ssg: "mkdocs", projectName: "Lamp", outputPath: ".", overwrite: true };

    expect(await failure("generate_config", input)).toMatchObject({ kind: "forbidden" });
    expect(existsSync(join(root, "requirements.txt"))).toBe(false);
  });

  test("under a force root a folder outside is neither created nor revealed", async () => {
    const { root } = repositoryLibrary({ "inner/a.md": "" });
    const { failure } = repositoryLibrary({}, { forceRoot: join(root, "inner") });

    for (const outputPath of [root, join(root, "new"), "/nowhere/at/all"]) {
      const input = { ssg: "hugo", projectName: "Lamp", outputPath };
      expect(await failure("generate_config", input)).toMatchObject({
        kind: "forbidden",
        code: "out-of-root",
      });
    }
  });

  test("under a force root a folder inside is written, wherever the server was started", async () => {
    const { root, read } = repositoryLibrary({ "inner/a.md": "" });
    const { data } = repositoryLibrary({}, { forceRoot: join(root, "inner") });
    const outputPath = join(root, "inner", "new");
    await data("generate_config", { ssg: "mkdocs", projectName: "Lamp", outputPath });

    expect(read("inner/new/mkdocs.yml")).toContain("Lamp");
  });

  test("a path through a file is not a folder", async () => {
    const { failure } = repositoryLibrary({ "a.md": "" });
    const input = { ssg: "hugo", projectName: "Lamp", outputPath: "a.md/x" };

    expect(await failure("generate_config", input)).toMatchObject({ kind: "invalid" });
  });

  test("git's own folder is left alone", async () => {
    const { failure } = repositoryLibrary({ ".git/HEAD": "ref: refs/heads/main\n" });
    const input = { ssg: "hugo", projectName: "Lamp", outputPath: ".git/hooks" };

    expect(await failure("generate_config", input)).toMatchObject({ kind: "forbidden" });
  });
});

test("[repository.writing.undo] files changed since are not reverted", async () => {
  const { data, failure, write, read, root } = repositoryLibrary();
  const { changeId } = await data("setup_structure", { path: "docs", ssg: "mkdocs" });
  write("docs/reference/index.md", "mine\n");
  const before = everything(root);

  expect(await failure("undo_change", { id: changeId })).toMatchObject({ kind: "conflict" });
  expect(everything(root)).toEqual(before);
  expect(read("docs/reference/index.md")).toBe("mine\n");
});

test("[repository.writing.all-or-none] if one file cannot be written, none is", async () => {
  const { failure, root } = repositoryLibrary({
    "docs/how-to": "a file where a folder is needed\n",
  });

  expect(await failure("setup_structure", { path: "docs", ssg: "mkdocs" })).toMatchObject({
    kind: "conflict",
  });
  expect(everything(root)).toEqual(["docs", "docs/how-to"]);
});

test("[repository.hostile.names] a name with a line break stays on one line of the answer", () => {
  const text = renderWriteResult({
    filesCreated: [],
    filesUpdated: ["a\nb.md"],
    filesUnchanged: [],
    diff: "",
    dryRun: true,
  });

  expect(text.split("\n")).toHaveLength(2);
});
