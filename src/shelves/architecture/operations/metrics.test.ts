import { expect, test } from "vitest";
import {
  architectureLibrary,
  smallTree,
} from "../../../../tests/fixtures/architecture/architecture-library.ts";
import { openMetrics } from "../../../kernel/calls/metrics.ts";

interface Read {
  methods: { method: string; calls: number; failures: number; p50: number; p95: number }[];
}

test("[architecture.metrics.counts] calls and failures are counted by method, with latencies", async () => {
  const library = architectureLibrary(smallTree);
  await library.rpc("resources/list", {});
  for (const uri of ["architecture://adr/1", "architecture://adr/77"])
    await library.rpc("resources/read", { uri });
  await library.rpc("prompts/get", { name: "create-adr", arguments: {} });
  await library.tool("search-architecture", { query: "lamp" });
  const { body } = await library.clients.request("GET", "/metrics");
  const { methods } = body as Read;

  expect(methods).toMatchObject([
    { method: "prompts/get", calls: 1, failures: 1 },
    { method: "resources/list", calls: 1, failures: 0 },
    { method: "resources/read", calls: 2, failures: 1 },
    { method: "search-architecture", calls: 1, failures: 0 },
  ]);
  for (const { p50, p95 } of methods) expect(p50).toBeLessThanOrEqual(p95);
});

test("[architecture.metrics.silent] metrics contain neither arguments nor paths", async () => {
  const library = architectureLibrary(smallTree);
  await library.rpc("resources/read", { uri: "architecture://patterns/my-secret" });
  await library.rpc("prompts/get", { name: "my-secret", arguments: {} });
  await library.rpc("tools/call", { name: "my-secret", arguments: {} });
  const answer = JSON.stringify(await library.clients.request("GET", "/metrics"));

  expect(answer).not.toContain("my-secret");
  expect(answer).not.toContain(library.root);
});

test("[architecture.metrics.old-method] the original project's own method returns the same", async () => {
  const { result } = await architectureLibrary(smallTree).rpc("server/performance", {});

  expect(result).toMatchObject({
    server_info: { name: "lectern" },
    documents: 5,
    prompts: 4,
    methods: [],
  });
});

test("[architecture.metrics.bounded] latency percentiles use only the most recent calls", () => {
  const metrics = openMetrics();
  for (let call = 0; call < 5_000; call++) metrics.record("a", 1_000, true);
  for (let call = 1; call <= 512; call++) metrics.record("a", call, call % 2 === 0);

  expect(metrics.read()).toEqual([
    { method: "a", calls: 5_512, failures: 256, p50: 256, p95: 487 },
  ]);
});
