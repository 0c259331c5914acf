import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { describeEveryStore, scriptOf } from "../../../tests/fixtures/stores/every-store.ts";
import type { Change } from "../approval/change.ts";
import { openChangeLog } from "../approval/change-log.ts";
import { changeLogTables } from "../approval/change-tables.ts";
import { createCall } from "../call.ts";
import { checksummedRowTables } from "../integrity/checksummed-rows.ts";
import { createBoundary } from "../paths/boundary.ts";
import { all, run, type Steps } from "../storage/steps.ts";
import { intentTables } from "./edit-intents.ts";
import type { FileEdit } from "./file-edits.ts";
import { stagingPath } from "./file-edits.ts";
import { applyJournaled, recoverInterrupted } from "./journaled-edits.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "lectern-edits-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "old.md"), "before");
});

const edits = () => [
  { path: join(root, "old.md"), before: "before", after: "after" },
  { path: join(root, "new.md"), before: undefined, after: "new" },
];

const texts = () => readdirSync(root).map((name) => [name, readFileSync(join(root, name), "utf8")]);

const tables = scriptOf(changeLogTables(), checksummedRowTables, intentTables);

describeEveryStore(tables, (openStore) => {
  async function open() {
    const store = await openStore();
    const changes = openChangeLog();
    const boundary = createBoundary({ base: root });
    const recordChange = () =>
      changes.record({
        call: createCall({ actor: { surface: "test" } }),
        operation: "write",
        summary: "Wrote",
      });
    return {
      store,
      apply: async (
        files: readonly FileEdit[] = edits(),
        record: () => Steps<Change> = recordChange,
      ) => store.run(applyJournaled(boundary, root, files, record)),
      recover: async () => store.run(recoverInterrupted(boundary)),
      intents: async () => store.run(all("SELECT * FROM intents")),
    };
  }

  test("[core.files.journaled] files are written and logged, and no intent remains", async () => {
    const { apply, recover, intents } = await open();
    expect(await apply()).toMatchObject({ id: 1 });

    expect(texts()).toEqual([
      ["new.md", "new"],
      ["old.md", "after"],
    ]);
    await recover();
    expect(readFileSync(join(root, "old.md"), "utf8")).toBe("after");
    expect(await intents()).toEqual([]);
  });

  test("[core.files.journaled] if the change cannot be logged, the files are restored", async () => {
    const { apply, intents } = await open();
    const fails = () => {
      throw new Error("The log is full.");
    };
    await expect(apply(edits(), fails)).rejects.toThrow("full");

    expect(texts()).toEqual([["old.md", "before"]]);
    expect(await intents()).toEqual([]);
  });

  test("[core.files.journaled] an existing file with identical content is left alone", async () => {
    const { apply } = await open();
    writeFileSync(join(root, "new.md"), "new");
    await expect(apply()).rejects.toThrow("already exists");

    expect(texts()).toEqual([
      ["new.md", "new"],
      ["old.md", "before"],
    ]);
  });

  test("[core.files.journaled] edits of a killed process are reverted, except files changed since", async () => {
    const { store, apply, recover, intents } = await open();
    const pid = 4_000_000;
    const left = async (files: object[]) =>
      store.run(
        run(
          "INSERT INTO intents (intent) VALUES (?)",
          JSON.stringify({ within: root, pid, host: hostname(), edits: files }),
        ),
      );
    await left(edits());
    writeFileSync(join(root, "old.md"), "after");
    writeFileSync(join(root, "new.md"), "new, and then mine");
    writeFileSync(stagingPath(join(root, "new.md"), pid), "new");
    await recover();
    expect(texts()).toEqual([
      ["new.md", "new, and then mine"],
      ["old.md", "before"],
    ]);

    await left([{ path: join(root, "gone.md"), before: "was here" }]);
    // The next writer recovers first.
    await apply([{ path: join(root, "next.md"), before: undefined, after: "x" }]);
    expect(readFileSync(join(root, "gone.md"), "utf8")).toBe("was here");
    expect(existsSync(join(root, "next.md"))).toBe(true);
    expect(await intents()).toEqual([]);
  });

  test("[scale.intents.host] a server on a database leaves the edits of other servers to them", async () => {
    const { store, recover, intents } = await open();
    const intent = { within: root, pid: 1, host: "elsewhere.invalid", edits: edits() };
    await store.run(run("INSERT INTO intents (intent) VALUES (?)", JSON.stringify(intent)));
    writeFileSync(join(root, "old.md"), "after");
    await recover();

    const isLeft = store.dialect === "postgres";
    expect(texts()).toEqual([["old.md", isLeft ? "after" : "before"]]);
    expect(await intents()).toHaveLength(isLeft ? 1 : 0);
  });
});
