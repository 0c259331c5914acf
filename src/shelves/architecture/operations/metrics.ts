import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import type { ArchitectureState } from "../state.ts";

const operation = operationsOn<ArchitectureState>();

/** Names of methods and numbers: what callers said is in none of them. */
export const metrics = operation({
  name: "metrics",
  title: "Metrics",
  summary:
    "How often each method of this process was called, how often it failed, and how long it took.",
  input: z.object({}),
  output: z.object({
    started: z.string().describe("When the process began"),
    memory: z.object({ bytes: z.int() }).describe("Resident memory of the process"),
    documents: z.int(),
    prompts: z.int(),
    methods: z.array(
      z.object({
        method: z.string(),
        calls: z.int(),
        failures: z.int(),
        p50: z.number().describe("Milliseconds; half of the last calls took no longer"),
        p95: z.number().describe("Milliseconds; the same for 19 of 20"),
      }),
    ),
  }),
  effect: "reads",
  expose: { http: "GET /metrics" },
  example: {},

  async run(_input, { knowledge, prompts, metrics }) {
    return {
      started: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
      memory: { bytes: process.memoryUsage.rss() },
      documents: (await knowledge.now()).all.length,
      prompts: (await prompts.now()).length,
      methods: metrics.read(),
    };
  },

  present: ({ methods }) => [
    text(
      methods
        .map(
          ({ method, calls, failures, p50, p95 }) =>
            `${method}  ${calls} calls  ${failures} failed  p50 ${p50} ms  p95 ${p95} ms`,
        )
        .join("\n") || "Nothing was called yet.",
    ),
  ],
});
