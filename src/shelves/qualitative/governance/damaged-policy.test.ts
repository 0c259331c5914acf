import { join } from "node:path";
import { expect, test } from "vitest";
import {
  interviewLibrary,
  projectShelves,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import { runToEnd, verifyStore } from "../../../kernel/integrity/verification.ts";

const person = { surface: "cli" };
const agent = { surface: "mcp", client: "claude" };

async function subject() {
  const opened = await interviewLibrary();
  const { call, library } = opened;
  await call("set_policy", { operation: "create_folder", tier: "suggest", agent: "*" }, person);
  await call("set_policy", { operation: "create_folder", tier: "notify", agent: "codex" }, person);
  await call("trust_client", { client: "claude" }, person);
  const { db, repairDerived } = library.runtime;
  const findings = () => runToEnd(verifyStore(db, projectShelves)).findings;
  return { ...opened, db, findings, repairDerived };
}

test.each([
  ["qualitative_policy", "DELETE FROM qualitative_policy"],
  ["qualitative_policy", "UPDATE qualitative_policy SET tier = 'autonomous'"],
  [
    "qualitative_policy",
    "INSERT INTO qualitative_policy (operation, agent, tier) VALUES ('*', '*', 'autonomous')",
  ],
  ["private_files", "DELETE FROM private_files"],
  ["qualitative_trusted_clients", "DELETE FROM qualitative_trusted_clients"],
  ["qualitative_trusted_clients", "UPDATE qualitative_trusted_clients SET key_hash = 'x'"],
])("[core.store.protecting-rows] damage in %s is found and repaired: %s", async (table, damage) => {
  const { db, findings, repairDerived, library, root } = await subject();
  library.runtime.privateFiles.replace("some project", [join(root, "notes/2026-01-meeting.md")]);
  const before = db.all(`SELECT * FROM ${table}`);
  expect(findings()).toEqual([]);
  db.run(damage);
  expect(findings()).toEqual([`rows of ${table}`]);
  await repairDerived({ isWhole: true });
  expect(findings()).toEqual([]);
  // A row without a copy may have lost it, so the row is kept and reported.
  if (!damage.startsWith("INSERT")) expect(db.all(`SELECT * FROM ${table}`)).toEqual(before);
});

test.each([
  "DELETE FROM qualitative_policy",
  "UPDATE qualitative_policy SET tier = 'autonomous'",
  "INSERT INTO qualitative_policy (operation, agent, tier) VALUES ('create_code', '*', 'autonomous')",
])(
  "[core.store.protecting-rows] while rules are damaged an agent proposes everything: %s",
  async (damage) => {
    const { db, call } = await subject();
    db.run(damage);
    for (const [name, input] of [
      ["create_folder", { name: "C" }],
      ["create_code", { name: "Doubt", color: "#123456" }],
    ] as const) {
      expect(await call(name, input, agent)).toMatchObject({ status: "pending_approval" });
    }
    // Setting a rule restores the others.
    await call("set_policy", { operation: "create_code", tier: "notify", agent: "*" }, person);
    expect((await call("list_policy")).rules).toEqual(
      expect.arrayContaining([
        { operation: "create_folder", agent: "*", tier: "suggest" },
        { operation: "create_code", agent: "*", tier: "notify" },
      ]),
    );
  },
);
