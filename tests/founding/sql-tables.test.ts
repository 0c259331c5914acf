import { afterAll, expect, test } from "vitest";
import type { App } from "../../src/kernel/runtime/app.ts";
import { clientsOf } from "../contract/surface-clients.ts";
import { openSample } from "../fixtures/library/sample-library.ts";

const apps: App[] = [];
afterAll(() => Promise.all(apps.map((app) => app.close())));

/** Rows of a statement over the sample, or the code of its failure. */
async function queryRows(sql: string, shelves?: string) {
  const app = await openSample({ shelves });
  apps.push(app);
  const { rpc } = await clientsOf(app);
  const { result } = await rpc("tools/call", {
    name: "qmdc_query_sql",
    arguments: { path: "catalogue", sql },
  });
  const { items, error } = (result?.structuredContent ?? {}) as {
    items?: unknown[];
    error?: { code: string };
  };
  return items ?? error?.code;
}

test("[objects.sql.shared-tables] statements can query documents, decisions, codes and segments beside objects, if those shelves are enabled", async () => {
  const documents = "SELECT collection, count(*) AS n FROM documents GROUP BY 1 ORDER BY 1 LIMIT 1";
  const decisions = "SELECT number, status FROM decisions ORDER BY number LIMIT 1";

  expect(await queryRows(documents)).toEqual([{ collection: "handbook", n: 4 }]);
  expect(await queryRows(decisions)).toEqual([{ number: 1, status: "accepted" }]);
  expect(await queryRows("SELECT name FROM codes JOIN segments USING (code_id)")).toEqual([
    { name: "Hope" },
  ]);
  expect(await queryRows("SELECT text, start_pos, end_pos FROM segments")).toEqual([
    { text: "hoped", start_pos: 2, end_pos: 7 },
  ]);
  expect(await queryRows("SELECT * FROM codes", "objects")).toBe("invalid-argument");
  expect(await queryRows(documents, "objects")).toBe("invalid-argument");
  expect(await queryRows(decisions, "objects,search")).toBe("invalid-argument");
});

test("[qualitative.privacy.read-log] coded passages readable by a statement are logged as read by the agent", async () => {
  const app = await openSample({});
  apps.push(app);
  const { rpc, request, shell } = await clientsOf(app);
  const newest = async () => {
    const { body } = await request("GET", "/qualitative/reads?limit=1");
    return (body as { reads: { id: number }[] }).reads[0];
  };
  const ask = (sql: string) =>
    rpc("tools/call", { name: "qmdc_query_sql", arguments: { path: "catalogue", sql } });
  const before = await newest();
  await ask("SELECT name FROM codes");
  await shell("objects", "sql", "catalogue", "SELECT text FROM segments");
  expect(await newest()).toEqual(before);

  await ask("SELECT text FROM segments");
  expect(await newest()).toMatchObject({
    operation: "sql",
    source_id: 1,
    start_pos: 2,
    end_pos: 7,
  });
});
