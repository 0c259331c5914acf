import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import type { ArchitectureState } from "../state.ts";

const operation = operationsFor<ArchitectureState>();

/** Method names and numbers only; no arguments of calls are recorded. */
export const metrics = operation({
  name: "metrics",
  title: "Metrics",
  summary:
    "How often each method of this process was called, how often it failed, and how long it took.",
  input: z.object({}),
  output: z.object({
    started: z.string().describe("When the process started"),
    memory: z.object({ bytes: z.int() }).describe("Resident memory of the process"),
    documents: z.int(),
    prompts: z.int(),
    methods: z.array(
      z.object({
        method: z.string(),
        calls: z.int(),
        failures: z.int(),
        p50: z.number().describe("Median duration of recent calls in milliseconds"),
        p95: z.number().describe("95th percentile of recent calls in milliseconds"),
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
      documents: (await knowledge.read()).all.length,
      prompts: (await prompts.read()).length,
      methods: metrics.read(),
    };
  },

  present: ({ methods }) => [
    textBlock(
      methods
        .map(
          ({ method, calls, failures, p50, p95 }) =>
            `${method}  ${calls} calls  ${failures} failed  p50 ${p50} ms  p95 ${p95} ms`,
        )
        .join("\n") || "No calls yet.",
    ),
  ],
});
