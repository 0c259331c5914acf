import { expect, test } from "vitest";
import { jsonCases } from "../../../../tests/fixtures/inputs/json-cases.ts";
import { openSampleShelfLibrary } from "../../../../tests/fixtures/library/sample-shelf-library.ts";
import { openEndpoint, post, request } from "../../../../tests/fixtures/mcp/mcp-client.ts";

const { source, cases } = jsonCases();

test(`[core.mcp.json-cases] no body crashes the endpoint, from ${source}`, async () => {
  const endpoint = openEndpoint(openSampleShelfLibrary().library);
  for (const { name, bytes } of cases) {
    const { status, message } = await post(endpoint, bytes);
    expect(status, name).toBe(400);
    if (name.startsWith("n_")) expect(message.error?.code, name).toBe(-32700);
    if (name.startsWith("y_")) expect(message.error?.code, name).toBe(-32600);
  }
  const { message } = await post(endpoint, request("ping"));
  expect(message).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
});

test(`[core.mcp.json-arguments] no arguments crash a call, from ${source}`, async () => {
  const endpoint = openEndpoint(openSampleShelfLibrary().library);
  const [before = "", after = ""] = JSON.stringify(
    request("tools/call", { name: "echo", arguments: "here" }),
  ).split('"here"');
  for (const { name, bytes } of cases) {
    const body = Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
    const { message } = await post(endpoint, body);
    expect(message, name).toMatchObject({ jsonrpc: "2.0" });
    if (name.startsWith("y_")) expect(message.id, name).toBe(1);
    if (message.result) expect(message.result.isError, name).toBe(true);
  }
});
