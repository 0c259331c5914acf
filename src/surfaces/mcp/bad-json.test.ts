import { expect, test } from "vitest";
import { openDeskLibrary } from "../../../tests/fixtures/desk-library.ts";
import { jsonCases } from "../../../tests/fixtures/json-cases.ts";
import { openEndpoint, post, request } from "../../../tests/fixtures/mcp-client.ts";

const { source, cases } = jsonCases();

test(`[house.mcp.json-cases] no body breaks the endpoint, by ${source}`, async () => {
  const endpoint = openEndpoint(openDeskLibrary().library);
  for (const { name, bytes } of cases) {
    const { status, message } = await post(endpoint, bytes);
    expect(status, name).toBe(400);
    if (name.startsWith("n_")) expect(message.error?.code, name).toBe(-32700);
    if (name.startsWith("y_")) expect(message.error?.code, name).toBe(-32600);
  }
  const { message } = await post(endpoint, request("ping"));
  expect(message).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
});

test(`[house.mcp.json-arguments] no arguments break a call, by ${source}`, async () => {
  const endpoint = openEndpoint(openDeskLibrary().library);
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
