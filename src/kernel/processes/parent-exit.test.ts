import { once } from "node:events";
import { expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import { startChild } from "./child-process.ts";

test("[objects.sql.orphan] a child process whose parent ends while it loads its modules ends as well", async () => {
  const program = childSource(`
    import { exitImmediately, onParentExit } from "./src/kernel/processes/parent-exit.ts";
    setInterval(() => undefined, 1_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    onParentExit(exitImmediately);
  `);
  for (const delay of [0, 500]) {
    const child = startChild([program]);
    const ended = once(child, "exit");
    await new Promise((resolve) => setTimeout(resolve, delay));
    child.disconnect();
    expect(await ended).toEqual([null, "SIGKILL"]);
  }
});
