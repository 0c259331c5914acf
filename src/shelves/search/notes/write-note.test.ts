import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerOf, outcomeOf } from "../../../../tests/fixtures/library/named-call.ts";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";
import { createCall } from "../../../kernel/call.ts";
import { Failure } from "../../../kernel/failure.ts";

const person = { actor: { surface: "cli" } };
const agents = [{ actor: { surface: "mcp", client: "x" } }, { actor: { surface: "http" } }];

async function subject() {
  const { library, home } = await searchLibrary({
    "notes/log.md": "# Log",
    "notes/deep/crlf.md": "one\r\ntwo\r\n",
    "work/plan.md": "plan",
  });
  const { runtime } = library;
  const write = async (input: object, as: typeof person = person) => {
    const outcome = await outcomeOf(library, "write_note", input, as);
    if (outcome.ok) return outcome.value;
    return outcome.failure ?? new Failure("internal", "asks", "It asks.");
  };
  const decide = (id: unknown, decision: "accept" | "reject") =>
    runtime.proposals.decide({ id: Number(id), decision }, createCall(person), runtime);
  const read = (file: string) => readFileSync(join(home, file), "utf8");
  return { library, home, runtime, write, decide, read };
}

test("[search.notes.person] a person's command writes immediately, and can be undone", async () => {
  const { write, read, home, library, runtime } = await subject();

  expect(await write({ mode: "create", file: "notes/new/Idea", text: "# Idea" })).toMatchObject({
    status: "written",
    file: "notes/new/Idea.md",
    changeId: expect.any(Number),
    diff: expect.stringContaining("+# Idea"),
  });
  expect(read("notes/new/Idea.md")).toBe("# Idea\n");
  // Appends to the note before it is indexed, and by name afterwards.
  await write({ mode: "append", file: "notes/new/Idea", text: "more\nand more" });
  expect(read("notes/new/Idea.md")).toBe("# Idea\nmore\nand more\n");
  await write({ mode: "append", file: "crlf", text: "three\nfour" });
  expect(read("notes/deep/crlf.md")).toBe("one\r\ntwo\r\nthree\r\nfour\r\n");
  await write({ mode: "append", file: "log", text: "line" });
  expect(read("notes/log.md")).toBe("# Log\nline\n");

  for (const { id } of (await runtime.store.run(runtime.changes.list())).items) {
    await runtime.changes.undo(id, createCall(person), runtime);
  }
  expect(read("notes/log.md")).toBe("# Log");
  expect(read("notes/deep/crlf.md")).toBe("one\r\ntwo\r\n");
  expect(existsSync(join(home, "notes/new"))).toBe(false);
  await library.runtime.indexer.scan([]);
});

test.each(agents)("[search.notes.agent] %o only proposes, with the difference", async (agent) => {
  const { write, decide, read, home, runtime } = await subject();
  const input = { mode: "create", file: "notes/new.md", text: "# New" };
  const proposed = await write(input, agent);

  expect(proposed).toMatchObject({
    status: "pending_approval",
    diff: expect.stringContaining("+# New"),
  });
  expect(await write(input, agent)).toEqual(proposed);
  const appended = await write({ mode: "append", file: "Log", text: "line" }, agent);
  expect(existsSync(join(home, "notes/new.md"))).toBe(false);
  expect((await runtime.store.run(runtime.proposals.list())).items).toMatchObject([
    { summary: "Create notes/new.md", preview: expect.stringContaining("+# New") },
    { summary: "Append to notes/log.md", input: { file: "notes/log.md" } },
  ]);

  if (proposed instanceof Failure || appended instanceof Failure) throw proposed;
  await decide(proposed.proposalId, "accept");
  expect(read("notes/new.md")).toBe("# New\n");
  // Text written meanwhile is kept.
  writeFileSync(join(home, "notes/log.md"), "# Log\nmine\n");
  await decide(appended.proposalId, "accept");
  expect(read("notes/log.md")).toBe("# Log\nmine\nline\n");
});

test("[search.notes.kept] an existing file is never replaced, whenever it appears", async () => {
  const { write, decide, home, read } = await subject();

  expect(await write({ mode: "create", file: "notes/log.md", text: "x" })).toMatchObject({
    code: "exists",
  });
  const proposed = await write({ mode: "create", file: "notes/late.md", text: "x" }, agents[0]);
  writeFileSync(join(home, "notes/late.md"), "mine");
  if (proposed instanceof Failure) throw proposed;
  await expect(decide(proposed.proposalId, "accept")).rejects.toMatchObject({ code: "exists" });
  expect(read("notes/late.md")).toBe("mine");
  expect(await write({ mode: "append", file: "notes/none.md", text: "x" })).toMatchObject({
    kind: "not-found",
  });
});

test("[search.notes.inside] a note stays inside its collection, and is one that it indexes", async () => {
  const { write, home, library } = await subject();
  const outside = join(tmpdir(), `outside-${process.pid}`);
  mkdirSync(outside, { recursive: true });
  symlinkSync(outside, join(home, "notes/link"));
  mkdirSync(join(home, "notes/project"));
  writeFileSync(join(home, "notes/project/data.qda"), "");
  await library.runtime.store.run(
    library.runtime.config.update((draft) => {
      Object.assign(draft.collections.work ?? {}, { pattern: "**/*.md", ignore: ["drafts/**"] });
    }),
  );

  for (const file of [
    "notes/../escape.md",
    "notes/./x.md",
    "/etc/x.md",
    "notes/.hidden.md",
    "notes/.git/x.md",
    "notes/a\\b.md",
    "notes/a\nb.md",
    "notes/x.pdf",
    "notes/",
    "nowhere/x.md",
    "x.md",
    "work/x.txt",
    "work/drafts/x.md",
    "notes/link/x.md",
    "notes/project/x.md",
    "notes/log.md/x.md",
    `notes/${"n".repeat(300)}.md`,
  ]) {
    const outcome = await write({ mode: "create", file, text: "x" });
    expect(outcome, file).toBeInstanceOf(Failure);
    expect(outcome, file).not.toMatchObject({ kind: "internal" });
  }
  expect(existsSync(join(home, "escape.md"))).toBe(false);
  expect(existsSync(join(outside, "x.md"))).toBe(false);
});

test("without a collection's name, a note goes into the only collection", async () => {
  const { library, home } = await searchLibrary({ "notes/a.md": "a" });
  const input = { mode: "create", file: "sub/b", text: "b" };

  expect(await answerOf(library, "write_note", input, person)).toMatchObject({
    file: "notes/sub/b.md",
  });
  expect(readFileSync(join(home, "notes/sub/b.md"), "utf8")).toBe("b\n");
});
