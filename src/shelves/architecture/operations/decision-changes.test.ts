import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { clientsOf } from "../../../../tests/contract/surface-clients.ts";
import {
  type DecisionLibrary,
  decisionLibrary,
  decisionShelves,
  record,
} from "../../../../tests/fixtures/architecture/decision-library.ts";
import { outcomeOf } from "../../../../tests/fixtures/library/named-call.ts";

const two = {
  "docs/adr/0001-a.md": record("1. A"),
  "docs/adr/0002-b.md": record("2. B", "Proposed"),
};

describe("[architecture.decisions.new] a new record gets the next number and the folder's format", () => {
  test("one more than the largest, also after 0099 and 0008", async () => {
    const { library, read } = decisionLibrary({
      "docs/adr/0008-a.md": record("8. A"),
      "docs/adr/0099-b.md": record("99. B"),
    });
    const { code, out } = await clientsOf(library, decisionShelves).shell(
      "adr",
      "new",
      "Keep",
      "the lamp lit",
    );

    expect([code, out]).toEqual([
      0,
      "Record the decision 'Keep the lamp lit'\n  docs/adr/0100-keep-the-lamp-lit.md\n",
    ]);
    expect(read("docs/adr/0100-keep-the-lamp-lit.md")).toMatch(
      /^# 100\. Keep the lamp lit\n\nDate: \d{4}-\d\d-\d\d\n\n## Status\n\nProposed\n/,
    );
  });

  test("the first record uses the founding document's format", async () => {
    const { call, write } = decisionLibrary({});
    expect(await call("new_decision", { title: "A" })).toMatchObject({ file: "docs/adr/001-a.md" });
    expect(await call("new_decision", { title: "B" })).toMatchObject({ file: "docs/adr/002-b.md" });
    const other = decisionLibrary({ "mcp/resources/guidelines/a.md": "# A\n" });
    expect(await other.call("new_decision", { title: "A" })).toMatchObject({
      file: "mcp/resources/adr/001-a.md",
    });
    const named = decisionLibrary({ ".adr-dir": "choices\n", "choices/README.md": "" });
    expect(await named.call("new_decision", { title: "A" })).toMatchObject({
      file: "choices/001-a.md",
    });
    write("docs/adr/0007-unreadable.md", "\0");
    expect(await call("new_decision", { title: "C" })).toMatchObject({ file: "docs/adr/008-c.md" });
  });

  test("with several folders one has to be named", async () => {
    const { call } = decisionLibrary({
      "docs/adr/0001-a.md": record("1. A"),
      "docs/adr/web/0001-b.md": record("1. B"),
    });

    expect(await call("new_decision", { title: "C" })).toMatchObject({
      kind: "invalid",
      hints: ["Folders: docs/adr, docs/adr/web."],
    });
    expect(await call("new_decision", { title: "C", folder: "docs/adr/web" })).toMatchObject({
      file: "docs/adr/web/0002-c.md",
    });
    for (const folder of ["docs", "../..", "/etc", "docs/adr/../../.."]) {
      expect(await call("new_decision", { title: "C", folder })).toMatchObject({ kind: "invalid" });
    }
  });

  test("a title is one line of visible text, and the given text is in its section", async () => {
    const { call, read } = decisionLibrary(two);
    const answer = await call("new_decision", {
      title: "  Lamp\n## Status\u202e  ",
      status: "accepted",
      context: "It is dark.",
      decision: "A lamp.",
      consequences: "Oil.",
    });

    expect(answer).toMatchObject({ file: "docs/adr/0003-lamp-status.md" });
    expect(read("docs/adr/0003-lamp-status.md")).toMatch(
      /^# 3\. Lamp ## Status\n\nDate: [-\d]+\n\n## Status\n\nAccepted\n\n## Context\n\nIt is dark\.\n\n## Decision\n\nA lamp\.\n\n## Consequences\n\nOil\.\n$/,
    );
    expect(await call("new_decision", { title: " \u202e " })).toMatchObject({ kind: "invalid" });
  });

  test("a folder that leads outside is not written to", async () => {
    const { call, root } = decisionLibrary({});
    mkdirSync(join(root, "../elsewhere"));
    symlinkSync("../elsewhere", join(root, "docs"));

    expect(await call("new_decision", { title: "A" })).toMatchObject({ kind: "forbidden" });
    expect(readdirSync(join(root, "../elsewhere"))).toEqual([]);
  });
});

describe("[architecture.decisions.supersede] superseding changes both files or neither", () => {
  test("by a new decision", async () => {
    const { library, read } = decisionLibrary(two);
    const { code } = await clientsOf(library, decisionShelves).shell(
      "adr",
      "supersede",
      "1",
      "New",
    );

    expect(code).toBe(0);
    expect(read("docs/adr/0001-a.md")).toBe(
      two["docs/adr/0001-a.md"].replace("Accepted", "Superseded by [3. New](0003-new.md)"),
    );
    expect(read("docs/adr/0003-new.md")).toContain(
      "## Status\n\nAccepted\n\nSupersedes [1. A](0001-a.md)\n\n## Context",
    );
  });

  test("by an existing one, each in its own format and folder", async () => {
    const { call, read } = decisionLibrary({
      "docs/adr/0001-a.md":
        "\uFEFF---\r\nstatus: accepted\r\n---\r\n# A\r\n\r\n## Decision Outcome\r\n\r\nYes.\r\n",
      "docs/adr/web/20200101-b.md": "# B\n\n- Status: accepted\n\n## Links\n\n- x\n",
    });
    await call("supersede_decision", { old: "1", by: "b" });

    expect(read("docs/adr/0001-a.md")).toBe(
      "\uFEFF---\r\nstatus: superseded by [20200101-b](web/20200101-b.md)\r\n---\r\n# A\r\n\r\n## Decision Outcome\r\n\r\nYes.\r\n",
    );
    expect(read("docs/adr/web/20200101-b.md")).toBe(
      "# B\n\n- Status: accepted\n\n## Links\n\n- x\n- Supersedes [1. A](../0001-a.md)\n",
    );
    expect(await call("lint_decisions")).not.toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ rule: "one-way-link" })]),
    });
  });

  test("a one-sided relation is completed", async () => {
    const { call, read } = decisionLibrary({
      "docs/adr/0001-a.md": record("1. A", "Superseded by [2. B](0002-b.md)"),
      "docs/adr/0002-b.md": record("2. B"),
    });
    expect(await call("supersede_decision", { old: "1", by: "2" })).toMatchObject({
      files: ["docs/adr/0002-b.md"],
    });
    expect(read("docs/adr/0002-b.md")).toContain("Supersedes [1. A](0001-a.md)");
    expect(await call("supersede_decision", { old: "1", by: "2" })).toMatchObject({
      code: "already-stated",
    });
  });

  test("not twice, not in a cycle, not by itself, and not without a successor", async () => {
    const { call } = decisionLibrary({
      "docs/adr/0001-a.md": record("1. A", "Superseded by [2. B](0002-b.md)"),
      "docs/adr/0002-b.md": record("2. B"),
      "docs/adr/0003-c.md": record("3. C", "Rejected"),
    });
    const refused = [
      { old: "1", title: "New" },
      { old: "1", by: "3" },
      { old: "2", by: "1" },
      { old: "2", by: "2" },
      { old: "3", title: "New" },
      { old: "2" },
      { old: "2", by: "3", title: "New" },
      { old: "9", title: "New" },
    ];
    for (const input of refused) {
      expect([input, await call("supersede_decision", input)]).toMatchObject([
        input,
        { name: "Failure" },
      ]);
    }
  });

  test("if one file cannot be changed, the other is not", async () => {
    const { call, root, read } = decisionLibrary(two);
    writeFileSync(
      join(root, "docs/adr/0003-latin.md"),
      Buffer.from("# 3. Gr\xf6\xdfe\n\n## Status\n\nAccepted\n", "latin1"),
    );

    expect(await call("supersede_decision", { old: "3", by: "1" })).toMatchObject({
      kind: "conflict",
      code: "not-utf8",
    });
    expect(read("docs/adr/0001-a.md")).toBe(two["docs/adr/0001-a.md"]);
    expect(readdirSync(join(root, "docs/adr"))).toHaveLength(3);
  });
});

describe("[architecture.decisions.link] linking two decisions writes the relation into both", () => {
  test("with the default inverse, or a given one", async () => {
    const { library, read, call } = decisionLibrary(two);
    const { code } = await clientsOf(library, decisionShelves).shell(
      "adr",
      "link",
      "2",
      "Amends",
      "1",
    );
    expect(code).toBe(0);
    expect(read("docs/adr/0002-b.md")).toContain("Proposed\n\nAmends [1. A](0001-a.md)\n");
    expect(read("docs/adr/0001-a.md")).toContain("Accepted\n\nAmended by [2. B](0002-b.md)\n");

    await call("link_decisions", {
      source: "1",
      verb: "Worries about",
      target: "2",
      reverse: "Feared by",
    });
    expect(read("docs/adr/0001-a.md")).toContain("\n\nWorries about [2. B](0002-b.md)\n");
    expect(read("docs/adr/0002-b.md")).toContain("\n\nFeared by [1. A](0001-a.md)\n");
    expect(
      await call("link_decisions", { source: "2", verb: "amends", target: "1" }),
    ).toMatchObject({ code: "already-stated" });
  });

  test("not with words that are not verbs, nor to itself, nor to supersede", async () => {
    const { call } = decisionLibrary(two);
    const refused = [
      { source: "1", verb: "Worries", target: "2" },
      { source: "1", verb: "[x](y.md)", target: "2", reverse: "x" },
      { source: "1", verb: "a\nb", target: "2", reverse: "x" },
      { source: "1", verb: "Amends", target: "1" },
      { source: "1", verb: "Supersedes", target: "2", reverse: "x" },
      { source: "1", verb: "Follows", target: "2", reverse: "Superseded by" },
    ];
    for (const input of refused) {
      expect([input, await call("link_decisions", input)]).toMatchObject([
        input,
        { kind: "invalid" },
      ]);
    }
  });
});

test("[architecture.decisions.own-form] a value that a format does not support is refused", async () => {
  const odd = "# 3. C\n\n```\nnever closed\n";
  const { call, read } = decisionLibrary({ ...two, "docs/adr/0003-c.md": odd });
  const refused = { kind: "conflict", code: "odd-form" };

  expect(await call("link_decisions", { source: "1", verb: "Amends", target: "3" })).toMatchObject(
    refused,
  );
  expect(await call("supersede_decision", { old: "1", by: "3" })).toMatchObject(refused);
  expect([read("docs/adr/0001-a.md"), read("docs/adr/0003-c.md")]).toEqual([
    two["docs/adr/0001-a.md"],
    odd,
  ]);
});

describe("[architecture.decisions.status] only valid status transitions are allowed", () => {
  test("a status is set in its place", async () => {
    const { library, read } = decisionLibrary(two);
    const { shell } = clientsOf(library, decisionShelves);

    expect((await shell("adr", "status", "2", "accepted")).code).toBe(0);
    expect(read("docs/adr/0002-b.md")).toBe(record("2. B", "Accepted"));
    const refused = await shell("adr", "status", "2", "proposed");
    expect(refused).toMatchObject({ code: 4, out: "" });
    expect(refused.err).toContain("It may become deprecated or superseded.");
  });

  test("the same status, a step back, and superseded without a successor are refused", async () => {
    const { call } = decisionLibrary(two);

    for (const [id, status, kind] of [
      ["1", "accepted", "conflict"],
      ["1", "rejected", "conflict"],
      ["1", "superseded", "invalid"],
      ["1", "nonsense", "invalid"],
      ["7", "accepted", "not-found"],
    ]) {
      expect([id, status, await call("set_decision_status", { id, status })]).toMatchObject([
        id,
        status,
        { kind },
      ]);
    }
  });
});

const decided = ({ library }: DecisionLibrary, name: string, input: object) =>
  outcomeOf(library, name, input, { actor: { surface: "web" } });

test("[architecture.decisions.undo] a write is undone, and redone", async () => {
  const opened = decisionLibrary(two);
  const { call, read, root } = opened;
  await call("supersede_decision", { old: "1", title: "New" });
  const written = read("docs/adr/0001-a.md");

  expect(await decided(opened, "undo_change", { id: 1 })).toMatchObject({ ok: true });
  expect(read("docs/adr/0001-a.md")).toBe(two["docs/adr/0001-a.md"]);
  expect(existsSync(join(root, "docs/adr/0003-new.md"))).toBe(false);
  expect(await decided(opened, "undo_change", { id: 2 })).toMatchObject({ ok: true });
  expect(read("docs/adr/0001-a.md")).toBe(written);
  expect(existsSync(join(root, "docs/adr/0003-new.md"))).toBe(true);
});

test("[architecture.decisions.undo] a file changed since is not reverted", async () => {
  const opened = decisionLibrary(two);
  await opened.call("supersede_decision", { old: "1", title: "New" });
  opened.write("docs/adr/0003-new.md", "mine");

  expect(await decided(opened, "undo_change", { id: 1 })).toMatchObject({
    failure: { kind: "conflict" },
  });
  expect(opened.read("docs/adr/0003-new.md")).toBe("mine");
  expect(opened.read("docs/adr/0001-a.md")).toContain("Superseded by");
});

describe("[architecture.decisions.proposals] an agent proposes a diff, and a person decides", () => {
  test("nothing is written until a person accepts", async () => {
    const opened = decisionLibrary(two);
    const { rpc } = clientsOf(opened.library, decisionShelves);
    const { result } = await rpc("tools/call", {
      name: "propose-decision",
      arguments: { kind: "supersede", id: "1", title: "New", rationale: "It is old." },
    });
    const answer = {
      proposal_id: 1,
      summary: "Supersede '0001 A' by '0003 New'",
      diff: expect.stringContaining("-Accepted\n+Superseded by [3. New](0003-new.md)\n"),
    };

    expect(result?.structuredContent).toMatchObject(answer);
    expect(opened.read("docs/adr/0001-a.md")).toBe(two["docs/adr/0001-a.md"]);
    expect(existsSync(join(opened.root, "docs/adr/0003-new.md"))).toBe(false);
    expect(await opened.call("proposals")).toMatchObject({
      proposals: [{ id: 1, shelf: "architecture", rationale: "It is old.", preview: answer.diff }],
    });
    expect(await decided(opened, "accept_proposal", { id: 1 })).toMatchObject({ ok: true });
    expect(opened.read("docs/adr/0001-a.md")).toContain("Superseded by [3. New](0003-new.md)");
    expect(existsSync(join(opened.root, "docs/adr/0003-new.md"))).toBe(true);
  });

  test("of every kind, and two concurrent ones get separate numbers", async () => {
    const opened = decisionLibrary(two);
    const drafts = [
      { kind: "new", title: "C" },
      { kind: "new", title: "D", context: "Dark." },
      { kind: "status", id: "2", status: "accepted" },
      { kind: "link", id: "2", verb: "Amends", target: "1" },
    ];
    for (const draft of drafts) {
      expect(await opened.call("propose-decision", draft)).toMatchObject({
        diff: expect.any(String),
      });
    }
    for (const id of [1, 2, 3, 4]) {
      expect(await decided(opened, "accept_proposal", { id })).toMatchObject({ ok: true });
    }

    expect(readdirSync(join(opened.root, "docs/adr")).sort()).toEqual([
      "0001-a.md",
      "0002-b.md",
      "0003-c.md",
      "0004-d.md",
    ]);
    expect(opened.read("docs/adr/0002-b.md")).toContain("Accepted\n\nAmends [1. A](0001-a.md)");
  });

  test("a call that would fail is not proposed, and what is missing is named", async () => {
    const { call } = decisionLibrary(two);

    expect(await call("propose-decision", { kind: "new" })).toMatchObject({
      message: "title is required for kind 'new'.",
    });
    expect(await call("propose-decision", { kind: "status", id: "1" })).toMatchObject({
      message: "status is required for kind 'status'.",
    });
    expect(
      await call("propose-decision", { kind: "status", id: "1", status: "proposed" }),
    ).toMatchObject({ code: "illegal-transition" });
    expect(
      await call("propose-decision", { kind: "new", title: "X", status: "superseded" }),
    ).toMatchObject({ kind: "invalid" });
    expect(await call("proposals")).toMatchObject({ total: 0 });
  });
});

test("[architecture.decisions.read-only] with --read-only nothing is written or proposed", async () => {
  const { library, root } = decisionLibrary(two, { readOnly: true });
  const { shell, rpc } = clientsOf(library, decisionShelves);

  for (const words of [
    ["new", "C"],
    ["supersede", "1", "C"],
    ["link", "1", "Amends", "2"],
    ["status", "2", "accepted"],
    ["export", "site"],
  ]) {
    const answer = await shell("adr", ...words, "--read-only");
    expect([words, answer.code, answer.err]).toEqual([
      words,
      5,
      expect.stringContaining("--read-only is on"),
    ]);
  }
  const { error } = await rpc("tools/call", { name: "propose-decision", arguments: {} });
  expect(error).toMatchObject({ code: -32602, data: { error_code: "TOOL_NOT_FOUND" } });
  expect((await shell("adr", "list", "--read-only")).code).toBe(0);
  expect(readdirSync(root)).toEqual(["docs"]);
});

describe("[architecture.decisions.tools] agents have one tool to read and one to propose", () => {
  test("and no other", async () => {
    const { library } = decisionLibrary(two);
    const tools = library.catalogue.entries
      .filter(({ operation }) => operation.expose.mcp && /decision/.test(operation.name))
      .map(({ operation }) => operation.name);

    expect(tools).toEqual(["decisions", "propose-decision"]);
  });

  test("the first includes everything that people see", async () => {
    const { library } = decisionLibrary(two);
    const { rpc } = clientsOf(library, decisionShelves);
    const decisionsText = async (input: object) => {
      const { result } = await rpc("tools/call", { name: "decisions", arguments: input });
      return JSON.stringify(result?.content);
    };

    expect(await decisionsText({ kind: "list" })).toContain(
      "docs/adr/0002-b.md  proposed  2020-01-01  B",
    );
    expect(await decisionsText({ kind: "list", status: "rejected" })).toContain(
      "There are no decisions.",
    );
    expect(await decisionsText({ kind: "list", limit: 1 })).toMatch(/0001-a.*1 more: cursor \w+/);
    expect(await decisionsText({ kind: "show", id: "1" })).toContain("## Consequences");
    expect(await decisionsText({ kind: "show" })).toContain("id is required");
    expect(await decisionsText({ kind: "lint" })).toContain("long-undecided");
    expect(await decisionsText({ kind: "graph", language: "dot" })).toContain("digraph");
    expect(await decisionsText({ kind: "timeline" })).toContain("2020");
    expect(await decisionsText({ kind: "toc" })).toContain("(0001-a.md)");
  });
});
