import { expect, test } from "vitest";
import type { OutputBlock } from "../../../kernel/operations/output-block.ts";
import { restoreResourceNames, toContentBlocks, toResourceContents } from "./content.ts";

const link: OutputBlock = { type: "link", uri: "qmd://a.md", name: "a.md", title: "A" };
const audio: OutputBlock = { type: "audio", data: "UklGRg==", mimeType: "audio/wav" };

function check(block: OutputBlock, version: string, type: string) {
  const [content] = toContentBlocks([block], version);
  expect(content?.type, `${block.type} for ${version}`).toBe(type);
}

test("[core.mcp.older-content] content of a type that a version does not define is sent as text", () => {
  check(link, "2024-11-05", "text");
  check(link, "2025-03-26", "text");
  check(link, "2025-06-18", "resource_link");
  check(link, "2026-07-28", "resource_link");
  check(audio, "2024-11-05", "text");
  check(audio, "2025-03-26", "audio");
});

test("a link sent as text still contains its target", () => {
  expect(toContentBlocks([link], "2024-11-05")).toEqual([{ type: "text", text: "A: qmd://a.md" }]);
});

test("[core.mcp.resource-names] the name and title of a resource are sent beside its text", () => {
  const resource = toResourceContents({
    uri: "qmd://a.md",
    mimeType: "text/markdown",
    text: "# A",
    name: "a.md",
    title: "A",
  });
  expect(resource).not.toHaveProperty("name");

  const names = { name: "a.md", title: "A" };
  const answer = (result: Record<string, unknown>) =>
    restoreResourceNames({ jsonrpc: "2.0", id: 1, result: structuredClone(result) });
  expect(answer({ content: [{ type: "text" }, { type: "resource", resource }] })).toMatchObject({
    result: { content: [{ type: "text" }, { resource: names }] },
  });
  expect(answer({ contents: [resource] })).toMatchObject({ result: { contents: [names] } });
  expect(
    answer({ messages: [{ role: "user", content: { type: "resource", resource } }] }),
  ).toMatchObject({ result: { messages: [{ content: { resource: names } }] } });
});

test("a message without resources is unchanged", () => {
  const odd = {
    jsonrpc: "2.0" as const,
    id: 1,
    result: { content: [null, 7, { resource: null }] },
  };
  expect(restoreResourceNames(structuredClone(odd))).toEqual(odd);
});
