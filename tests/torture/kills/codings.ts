import { join } from "node:path";
import type { HttpClient } from "../http-client.ts";
import type { CreateKillWorkload } from "./kill-workload.ts";
import { inconsistentChanges } from "./project-changes.ts";

interface Segment {
  code_id: number;
  start_position: number;
  end_position: number;
}

const text = "What was said here is said again and again, in other words. ".repeat(40);

/** Codes passages in batches: a batch is stored completely or not at all. */
export const codings: CreateKillWorkload = (home, random) => {
  const acknowledged: Segment[][] = [];
  let sent: Segment[] = [];
  let codes = 0;

  const passage = (): Segment => {
    const start_position = Math.floor(random() * (text.length - 40));
    const end_position = start_position + 1 + Math.floor(random() * 30);
    return { code_id: codes, start_position, end_position };
  };

  return {
    async prepare(client) {
      await client.tool("create_project", { path: "interviews.qda" });
      await client.tool("add_text_source", { name: "Ana", content: text });
    },
    async act(client) {
      // Each batch has a separate code, so no passage is coded twice.
      const name = `code ${acknowledged.length} ${random()}`;
      codes = (await client.tool<{ code_id: number }>("create_code", { name, color: "#00AA00" }))
        .code_id;
      sent = [passage(), passage(), passage()].filter(
        (one, index, all) => all.findIndex((other) => key(other) === key(one)) === index,
      );
      await client.tool("batch_apply_codes", {
        operations: sent.map((segment) => ({ source_id: 1, ...segment })),
      });
      acknowledged.push(sent);
      sent = [];
    },
    async check(client) {
      await client.tool("open_project", { path: "interviews.qda" });
      const found = new Set((await segmentsOf(client)).map(key));
      const wrongs = inconsistentChanges(home, join(home, "interviews.qda"));
      for (const batch of acknowledged) {
        const gone = batch.filter((segment) => !found.has(key(segment)));
        if (gone.length > 0) wrongs.push(`${gone.length} acknowledged passages are gone`);
      }
      const stored = sent.filter((segment) => found.has(key(segment))).length;
      if (stored > 0 && stored < sent.length) wrongs.push(`${stored} of ${sent.length} were coded`);
      if (stored > 0) acknowledged.push(sent);
      sent = [];
      const wanted = acknowledged.flat().length;
      if (found.size !== wanted) wrongs.push(`${found.size} passages in place of ${wanted}`);
      return wrongs;
    },
  };
};

const segmentsOf = (client: HttpClient): Promise<Segment[]> =>
  client.tool("list_segments_for_source", { source_id: 1 });

const key = ({ code_id, start_position, end_position }: Segment): string =>
  `${code_id} ${start_position} ${end_position}`;
