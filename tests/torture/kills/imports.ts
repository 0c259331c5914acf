import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HttpClient } from "../http-client.ts";
import { readLive } from "../store-copies.ts";
import type { CreateKillWorkload } from "./kill-workload.ts";

const sources = 12;

/** Creates projects from an exchange file. Each exists completely, or nothing has its name. */
export const imports: CreateKillWorkload = (home, random) => {
  const acknowledged = new Set<string>();
  let sent: string | undefined;
  let next = 0;

  return {
    async prepare(client) {
      await client.callTool("create_project", { path: "first.qda" });
      await client.callTool("create_code", { name: "Hope", color: "#00AA00" });
      for (let id = 1; id <= sources; id++) {
        const content = `Interview ${id}. ${"Somebody hopes for something. ".repeat(300)}`;
        await client.callTool("add_text_source", { name: `Interview ${id}`, content });
        const operations = [{ code_id: 1, source_id: id, start_position: 0, end_position: 9 }];
        await client.callTool("batch_apply_codes", { operations });
      }
      await client.callAsPerson("POST", "/qualitative/projects/export", { file: "all.qdpx" });
    },
    async step(client) {
      sent = `imported-${next++}-${Math.floor(random() * 1_000)}.qda`;
      await importInto(client, sent);
      acknowledged.add(sent);
      sent = undefined;
    },
    async check(client) {
      const losses: string[] = [];
      for (const name of acknowledged) {
        if (!existsSync(join(home, name))) losses.push(`${name} was acknowledged and is gone`);
      }
      if (sent !== undefined && existsSync(join(home, sent))) acknowledged.add(sent);
      // An unacknowledged import can be requested again, under the same name.
      else if (sent !== undefined) {
        await importInto(client, sent);
        acknowledged.add(sent);
      }
      sent = undefined;
      for (const name of readdirSync(home).filter((entry) => /^imported.*\.qda$/.test(entry))) {
        const { texts, codings } = contentOf(join(home, name));
        if (texts !== sources || codings !== sources) {
          losses.push(`${name} has ${texts} sources and ${codings} codings`);
        }
      }
      for (const name of [...acknowledged].slice(0, -1)) {
        rmSync(join(home, name), { recursive: true, force: true });
        acknowledged.delete(name);
      }
      return losses;
    },
  };
};

const importInto = (client: HttpClient, path: string): Promise<unknown> =>
  client.callAsPerson("POST", "/qualitative/projects/import", { file: "all.qdpx", path });

const contentOf = (project: string): { texts: number; codings: number } =>
  readLive(
    join(project, "data.qda"),
    (db) =>
      db.get<{ texts: number; codings: number }>(
        "SELECT (SELECT count(*) FROM source) AS texts, (SELECT count(*) FROM code_text) AS codings",
      ) ?? { texts: 0, codings: 0 },
  );
