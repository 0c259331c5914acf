import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
  type ProjectLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import {
  projectTables,
  shelvesOn,
} from "../../../../tests/fixtures/qualitative/shelves-on-store.ts";
import { describeEveryStore } from "../../../../tests/fixtures/stores/every-store.ts";
import { Failure } from "../../../kernel/failure.ts";
import { get, run } from "../../../kernel/storage/steps.ts";
import type { Store } from "../../../kernel/storage/store.ts";

const openOn = (store: Store) => interviewLibrary({}, shelvesOn(store));

const person = { surface: "web" };
const passage = { code_id: 2, source_id: 1, start_position: 0, end_position: 6 };

/**
 * The state of both files if the process is killed after the activity list was
 * written and before the project's transaction was committed.
 */
async function cutOff(opened: ProjectLibrary, work: () => Promise<unknown>): Promise<void> {
  const database = join(opened.root, "interviews.qda", "data.qda");
  copyFileSync(database, `${database}.before`);
  await work();
  await opened.call("close_project");
  copyFileSync(`${database}.before`, database);
}

async function activityOf({ call }: ProjectLibrary): Promise<{ id: number; summary: string }[]> {
  const { changes } = await call("activity");
  return changes as { id: number; summary: string }[];
}

/** Called when an entry was recorded, before the project commits. */
interface Interruption {
  onRecorded?(): Promise<void> | void;
}

/** A store that must be awaited, whatever it is, and that can be interrupted. */
function awaitedStore(store: Store, interruption: Interruption): Store {
  const newest = async () =>
    (await store.run(get<{ id: number }>("SELECT max(id) AS id FROM changes")))?.id ?? 0;
  return {
    ...store,
    dialect: "postgres",
    async run(steps) {
      const before = await newest();
      const result = await store.run(steps);
      const { onRecorded } = interruption;
      if (onRecorded && (await newest()) > before) {
        delete interruption.onRecorded;
        await onRecorded();
      }
      return result;
    },
  };
}

describeEveryStore(projectTables, (openStore) => {
  async function openAwaited() {
    const store = await openStore();
    const interruption: Interruption = {};
    const opened = await openOn(awaitedStore(store, interruption));
    const listed = await activityOf(opened);
    const database = () => databaseOf(join(opened.root, "interviews.qda", "data.qda"));
    return { ...opened, store, interruption, listed, database };
  }

  const code = (name: string) => ({ name, color: "#123456" });

  async function codeNames({ call }: Pick<ProjectLibrary, "call">): Promise<string[]> {
    const { codes } = await call("list_codes");
    return (codes as { name: string }[]).map(({ name }) => name);
  }

  test("[scale.projects.recorded] concurrent writes are made one after the other, each with its entry", async () => {
    const opened = await openAwaited();
    const before = await codeNames(opened);
    const made = await Promise.all(
      ["One", "Two", "Three"].map((name) => opened.call("create_code", code(name))),
    );
    await opened.call("undo_change", { id: made[1]?.change_id }, person);
    expect((await codeNames(opened)).toSorted()).toEqual([...before, "One", "Three"].toSorted());
    expect(await activityOf(opened)).toHaveLength(opened.listed.length + 4);
  });

  test("[scale.projects.recorded] a write that runs twice reports its counts once", async () => {
    const opened = await openAwaited();
    writeFileSync(join(opened.root, "more.txt"), "Joy\nGrief\n");
    const added = await opened.call("import_codes", { file: "more.txt" }, person);
    expect(added).toMatchObject({ codes_added: 2, already_there: 0 });
    const [entry] = await activityOf(opened);
    expect(entry?.summary).toContain("Imported 2 codes");
  });

  test("[scale.projects.recorded] a project that is closed during a write is closed after it", async () => {
    const opened = await openAwaited();
    let closing: Promise<unknown> = Promise.resolve();
    opened.interruption.onRecorded = () => {
      closing = opened.call("close_project");
    };
    await opened.call("create_code", code("One"));
    await closing;
    await opened.call("open_project", { path: "interviews.qda" });
    expect(await codeNames(opened)).toContain("One");
  });

  test("[scale.projects.interrupted] an entry whose answer was lost is removed by the next write", async () => {
    const opened = await openAwaited();
    opened.interruption.onRecorded = () => {
      throw new Failure("unavailable", "commit-unknown", "The connection was lost.");
    };
    await expect(opened.call("create_code", code("One"))).rejects.toMatchObject({
      code: "commit-unknown",
    });
    expect(await activityOf(opened)).toHaveLength(opened.listed.length + 1);
    expect(await codeNames(opened)).not.toContain("One");

    await opened.call("create_code", code("Two"));
    const [entry, ...rest] = await activityOf(opened);
    expect(entry?.summary).toContain("Two");
    expect(rest).toEqual(opened.listed);
  });

  test("[scale.projects.interrupted] an entry of a server that ended before the commit is removed by the next one", async () => {
    const opened = await openAwaited();
    const recorded = new Promise<void>((resolve) => {
      opened.interruption.onRecorded = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    void opened.call("create_code", code("One"));
    await recorded;
    const next = opened.beside();
    const path = { path: "interviews.qda" };
    expect(await next.refusal("open_project", path)).toMatchObject({
      code: "PROJECT_OPEN_ELSEWHERE",
    });
    await opened.store.run(run("UPDATE qualitative_leases SET expires = 0"));
    await next.call("open_project", path);
    expect(await activityOf(next)).toEqual(opened.listed);
    await next.call("create_code", code("Two"));
    expect(await codeNames(next)).not.toContain("One");
  });

  test("[scale.projects.interrupted] a write fails without an entry if another program writes in between", async () => {
    const opened = await openAwaited();
    opened.interruption.onRecorded = () => {
      opened.database().run("INSERT INTO code_name (name, memo) VALUES ('From QualCoder', '')");
    };
    await expect(opened.call("create_code", code("One"))).rejects.toMatchObject({
      code: "PROJECT_IN_USE",
    });
    expect(await activityOf(opened)).toEqual(opened.listed);
    const names = await codeNames(opened);
    expect(names).toContain("From QualCoder");
    expect(names).not.toContain("One");
  });

  test("[scale.projects.interrupted] a write fails without an entry if the project cannot be committed", async () => {
    const opened = await openAwaited();
    const other = opened.database();
    opened.interruption.onRecorded = () => other.exec("BEGIN EXCLUSIVE");
    await expect(opened.call("create_code", code("One"))).rejects.toMatchObject({
      code: "PROJECT_IN_USE",
    });
    other.exec("ROLLBACK");
    expect(await activityOf(opened)).toEqual(opened.listed);
    await opened.call("create_code", code("Two"));
    expect(await codeNames(opened)).not.toContain("One");
  });

  test("[scale.projects.interrupted] nothing is written once another server has the lease", async () => {
    const opened = await openAwaited();
    await opened.store.run(
      run("UPDATE qualitative_leases SET holder = 'another', host = 'db2', pid = 7"),
    );
    await expect(opened.call("create_code", code("One"))).rejects.toMatchObject({
      message: "The server on db2 (process 7) has this project open.",
    });
    expect(await activityOf(opened)).toEqual(opened.listed);
    expect(await codeNames(opened)).not.toContain("One");
  });

  test("[scale.projects.notices] a change that was not made is not announced", async () => {
    const opened = await openAwaited();
    opened.interruption.onRecorded = () => {
      opened.database().run("INSERT INTO code_name (name, memo) VALUES ('From QualCoder', '')");
    };
    const agent = { surface: "mcp", client: "agent" };
    await expect(opened.call("create_code", code("One"), agent)).rejects.toMatchObject({
      code: "PROJECT_IN_USE",
    });
    await opened.call("create_code", code("Two"), agent);
    const announced = () => opened.notices.flatMap(({ about }) => about ?? []).join("\n");
    await expect.poll(announced).toContain("Two");
    expect(announced()).not.toContain("One");
  });

  test("[qualitative.undo.cut-off] an interrupted change is not listed", async () => {
    const opened = await openOn(await openStore());
    const before = await activityOf(opened);
    await cutOff(opened, () => opened.call("batch_apply_codes", { operations: [passage] }));

    const next = opened.beside();
    expect(await activityOf(next)).toHaveLength(before.length + 1);
    await next.call("open_project", { path: "interviews.qda" });
    expect(await activityOf(next)).toEqual(before);

    await next.call("batch_apply_codes", { operations: [passage] });
    const { segments } = await next.call("list_segments_for_source", { source_id: 1 });
    expect(segments).toHaveLength(2);
    expect(await activityOf(next)).toHaveLength(before.length + 1);
  });

  test("[qualitative.undo.cut-off] a proposal whose acceptance was interrupted is pending again", async () => {
    const opened = await openOn(await openStore());
    await opened.call(
      "set_policy",
      { operation: "batch_apply_codes", agent: "*", tier: "suggest" },
      person,
    );
    const agent = { surface: "http", client: "agent" };
    await opened.call("batch_apply_codes", { operations: [passage] }, agent);
    await cutOff(opened, () => opened.call("accept_proposal", { id: 1 }, person));

    const next = opened.beside();
    await next.call("open_project", { path: "interviews.qda" });
    expect(await next.call("proposals", { status: "pending" })).toMatchObject({ total: 1 });
    expect(await next.call("accept_proposal", { id: 1 }, person)).toMatchObject({
      status: "accepted",
    });
    const { segments } = await next.call("list_segments_for_source", { source_id: 1 });
    expect(segments).toHaveLength(2);
  });

  test("[qualitative.undo.cut-off] an interrupted undo can be repeated", async () => {
    const opened = await openOn(await openStore());
    const { change_id } = await opened.call("batch_apply_codes", { operations: [passage] });
    await cutOff(opened, () => opened.call("undo_change", { id: change_id }, person));

    const next = opened.beside();
    await next.call("open_project", { path: "interviews.qda" });
    await next.call("undo_change", { id: change_id }, person);
    const { segments } = await next.call("list_segments_for_source", { source_id: 1 });
    expect(segments).toHaveLength(1);
  });

  test("[qualitative.undo.cut-off] changes in a project stay listed if an older copy replaces it", async () => {
    const opened = await openOn(await openStore());
    await cutOff(opened, async () => {
      for (const name of ["One", "Two"])
        await opened.call("create_code", { name, color: "#123456" });
    });
    const reported = await activityOf(opened);

    const next = opened.beside();
    await next.call("open_project", { path: "interviews.qda" });
    await next.call("create_code", { name: "Three", color: "#123456" });
    expect((await activityOf(next)).slice(1)).toEqual(reported);
  });
});
