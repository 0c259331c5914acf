import { expect, test } from "vitest";
import { describeEveryStore, scriptOf } from "../../../tests/fixtures/stores/every-store.ts";
import { createCall } from "../call.ts";
import { checksummedRowTables } from "../integrity/checksummed-rows.ts";
import { run } from "../storage/steps.ts";
import { agentEntryTables, forgetEntry, mayChangeEntry, recordEntry } from "./agent-entries.ts";

const agent = createCall({ actor: { surface: "mcp", client: "agent" } });
const person = createCall({ actor: { surface: "web" } });

describeEveryStore(scriptOf(agentEntryTables, checksummedRowTables), (openStore) => {
  async function openEntry() {
    const store = await openStore();
    const entry = ["collection", "notes"] as const;
    return {
      store,
      mayChange: async (call: typeof agent, value: unknown) =>
        store.run(mayChangeEntry(call, ...entry, value)),
      record: async (call: typeof agent, value: unknown) =>
        store.run(recordEntry(call, ...entry, value)),
      forget: async () => store.run(forgetEntry(...entry)),
    };
  }

  test("[scale.approval.entries] an agent may change the entry that it wrote, until someone edits it", async () => {
    const { mayChange, record, forget } = await openEntry();
    expect(await mayChange(agent, { path: "a" })).toBe(false);
    await record(agent, { path: "a" });
    expect(await mayChange(agent, { path: "a" })).toBe(true);
    expect(await mayChange(agent, { path: "edited" })).toBe(false);

    await record(agent, { path: "b" });
    expect(await mayChange(agent, { path: "b" })).toBe(true);
    await record(person, { path: "b" });
    expect(await mayChange(agent, { path: "b" })).toBe(false);
    expect(await mayChange(person, { path: "b" })).toBe(true);

    await record(agent, { path: "c" });
    await forget();
    expect(await mayChange(agent, { path: "c" })).toBe(false);
  });

  test("[scale.approval.copies] only SQLite keeps a second copy of each row; there an agent may change nothing if one is missing", async () => {
    const { store, mayChange, record } = await openEntry();
    await record(agent, { path: "a" });
    const forged = "INSERT INTO agent_entries (kind, name, digest) VALUES ('context', 'x', 'y')";
    await store.run(run(forged));

    expect(await mayChange(agent, { path: "a" })).toBe(store.dialect === "postgres");
  });
});
