import { expect, test } from "vitest";
import { describeEveryStore, scriptOf } from "../../../../tests/fixtures/stores/every-store.ts";
import { openChangeLog } from "../../../kernel/approval/change-log.ts";
import { changeLogTables } from "../../../kernel/approval/change-tables.ts";
import { createCall } from "../../../kernel/call.ts";
import { checksummedRowTables } from "../../../kernel/integrity/checksummed-rows.ts";
import { homeTables } from "../tables.ts";
import { openPolicy } from "./policy.ts";
import { openReadLog } from "./read-log.ts";

const person = createCall({ actor: { surface: "web" } });
const operation = { name: "delete_code", effect: "deletes" } as const;
const tables = scriptOf(changeLogTables(), checksummedRowTables, homeTables);

describeEveryStore(tables, (openStore) => {
  test("[scale.approval.policy] the rules for agents are the same in every store", async () => {
    const store = await openStore();
    const changes = openChangeLog();
    const policy = openPolicy(changes);
    const tier = async (agent: string) => store.run(policy.tierOf(operation, agent));
    expect(await tier("claude")).toBe("protect");

    const rule = { operation: operation.name, agent: "*" };
    await store.run(policy.setRule({ ...rule, tier: "require" }, person));
    await store.run(policy.setRule({ ...rule, agent: "Claude", tier: "autonomous" }, person));
    await store.run(policy.setRule({ ...rule, agent: "claude", tier: "suggest" }, person));
    expect(await tier("claude")).toBe("require");
    expect(await store.run(policy.rules())).toHaveLength(2);
    await store.run(policy.setRule({ ...rule, tier: "default" }, person));
    expect(await store.run(policy.rules())).toEqual([
      { operation: operation.name, agent: "claude", tier: "suggest" },
    ]);
    expect([await tier("CLAUDE"), await tier("other")]).toEqual(["suggest", "protect"]);
    expect((await store.run(changes.list())).total).toBe(4);
  });

  test("[scale.approval.policy] a client is trusted by its key", async () => {
    const store = await openStore();
    const policy = openPolicy(openChangeLog());
    const { key, since } = await store.run(policy.trust("editor", person));
    const actor = { surface: "mcp", client: "editor" };
    const trusted = async (clientKey: string) =>
      store.run(policy.trustedSince({ ...createCall({ actor }), clientKey }));

    expect([await trusted(key), await trusted("guessed")]).toEqual([since, undefined]);
    await store.run(policy.distrust("editor", person));
    expect(await trusted(key)).toBeUndefined();
  });

  test("[scale.approval.reads] what agents read is listed by project and source, newest first", async () => {
    const store = await openStore();
    const reads = openReadLog();
    const agent = createCall({ actor: { surface: "mcp", client: "claude" } });
    const passage = { source_name: "Talk", start_pos: 0, end_pos: 9 };
    for (const [project, id] of [
      ["/projects/a.qda", 1],
      ["/projects/a.qda", 2],
      ["/projects/b.qda", 1],
    ] as const) {
      await store.run(reads.record(agent, "read", project, [{ ...passage, source_id: id }]));
    }
    const ids = async (scope: Partial<Parameters<typeof reads.list>[0]>) =>
      (await store.run(reads.list({ limit: 10, ...scope }))).items.map(({ id }) => id);

    expect(await ids({})).toEqual([3, 2, 1]);
    expect(await ids({ within: "/projects/a.qda" })).toEqual([2, 1]);
    expect(await ids({ sources: { project: "/projects/a.qda", ids: [1, 3] } })).toEqual([1]);
    const page = await store.run(reads.list({ limit: 2 }));
    expect(page).toMatchObject({ total: 3, remaining: 1 });
    expect(await ids({ cursor: page.next_cursor })).toEqual([1]);
  });
});
