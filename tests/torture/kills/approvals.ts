import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listAllProposals } from "../all-proposals.ts";
import type { HttpClient } from "../http-client.ts";
import type { CreateKillWorkload } from "./kill-workload.ts";
import { inconsistentChanges } from "./project-changes.ts";

const text = "What was said here is said again and again, in other words. ".repeat(200);

interface PendingProposal {
  proposal_id: number;
}

/**
 * An agent proposes passages and decision records, a person accepts. A proposal is accepted and
 * performed, or it is pending and nothing was done.
 */
export const approvals: CreateKillWorkload = (home, random) => {
  const accepted = new Set<number>();
  const proposed = new Set<number>();
  const records = join(home, "docs", "adr");
  let next = 0;

  const propose = async (client: HttpClient): Promise<number> => {
    const number = next++;
    if (random() < 0.5) {
      const operations = [
        { code_id: 1, source_id: 1, start_position: number * 5, end_position: number * 5 + 4 },
        { code_id: 2, source_id: 1, start_position: number * 5, end_position: number * 5 + 4 },
      ];
      return (await client.callTool<PendingProposal>("batch_apply_codes", { operations }))
        .proposal_id;
    }
    const title = `Decision ${number}`;
    return (await client.callTool<PendingProposal>("propose-decision", { kind: "new", title }))
      .proposal_id;
  };

  return {
    async prepare(client) {
      await client.callTool("create_project", { path: "interviews.qda" });
      await client.callTool("add_text_source", { name: "Ana", content: text });
      for (const name of ["Hope", "Doubt"]) {
        await client.callTool("create_code", { name, color: "#00AA00" });
      }
      await client.callAsPerson("PUT", "/qualitative/policy", {
        operation: "batch_apply_codes",
        tier: "suggest",
      });
    },
    async step(client) {
      const id = await propose(client);
      proposed.add(id);
      await client.callAsPerson("POST", `/proposals/${id}/accept`);
      accepted.add(id);
    },
    async check(client) {
      await client.callTool("open_project", { path: "interviews.qda" });
      const losses = inconsistentChanges(home, join(home, "interviews.qda"));
      const passages = await client.callTool<{ start_position: number }[]>(
        "list_segments_for_source",
        {
          source_id: 1,
        },
      );
      const names = existsSync(records) ? readdirSync(records) : [];
      const partial = names.filter((name) => !name.endsWith(".md"));
      if (partial.length > 0) losses.push(`${partial.join(", ")} was partially written`);
      const written = names
        .filter((name) => name.endsWith(".md"))
        .map((name) => readFileSync(join(records, name), "utf8"));
      const all = await listAllProposals(client);
      const statuses = new Map(all.map(({ id, status }) => [id, status]));
      for (const id of proposed) {
        if (!statuses.has(id)) losses.push(`proposal ${id} was acknowledged and is gone`);
      }
      for (const id of accepted) {
        if (statuses.get(id) !== "accepted")
          losses.push(`proposal ${id} was accepted and is still pending`);
      }
      for (const { id, operation, status, input } of all) {
        const times =
          operation === "perform_proposed"
            ? passages.filter(({ start_position }) => start_position === startOf(input)).length / 2
            : written.filter((page) => page.includes(`${String(input.title)}\n`)).length;
        const expectedWrites = status === "accepted" ? 1 : 0;
        if (times !== expectedWrites) {
          losses.push(`${operation} of proposal ${id} is ${status} and was done ${times} times`);
        }
      }
      return losses;
    },
  };
};

const startOf = (input: Record<string, unknown>): unknown =>
  (input as { input: { operations: { start_position: number }[] } }).input.operations[0]
    ?.start_position;
