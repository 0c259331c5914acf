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
      await client.callTool("create_project", { path: "interviews.qda" });
      await client.callTool("add_text_source", { name: "Ana", content: text });
    },
    async step(client) {
      // Each batch has a separate code, so no passage is coded twice.
      const name = `code ${acknowledged.length} ${random()}`;
      codes = (
        await client.callTool<{ code_id: number }>("create_code", { name, color: "#00AA00" })
      ).code_id;
      sent = [passage(), passage(), passage()].filter(
        (segment, index, all) => all.findIndex((other) => key(other) === key(segment)) === index,
      );
      await client.callTool("batch_apply_codes", {
        operations: sent.map((segment) => ({ source_id: 1, ...segment })),
      });
      acknowledged.push(sent);
      sent = [];
    },
    async check(client) {
      await client.callTool("open_project", { path: "interviews.qda" });
      const found = new Set((await segmentsOf(client)).map(key));
      const losses = inconsistentChanges(home, join(home, "interviews.qda"));
      for (const batch of acknowledged) {
        const lost = batch.filter((segment) => !found.has(key(segment)));
        if (lost.length > 0) losses.push(`${lost.length} acknowledged passages are gone`);
      }
      const stored = sent.filter((segment) => found.has(key(segment))).length;
      if (stored > 0 && stored < sent.length) losses.push(`${stored} of ${sent.length} were coded`);
      if (stored > 0) acknowledged.push(sent);
      sent = [];
      const expected = acknowledged.flat().length;
      if (found.size !== expected) losses.push(`${found.size} passages in place of ${expected}`);
      return losses;
    },
  };
};

const segmentsOf = (client: HttpClient): Promise<Segment[]> =>
  client.callTool("list_segments_for_source", { source_id: 1 });

const key = ({ code_id, start_position, end_position }: Segment): string =>
  `${code_id} ${start_position} ${end_position}`;
