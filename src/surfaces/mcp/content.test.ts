import { expect, test } from "vitest";
import type { Block } from "../../kernel/block.ts";
import { restoreNames, toContent, toContents } from "./content.ts";

const link: Block = { type: "link", uri: "qmd://a.md", name: "a.md", title: "A" };
const audio: Block = { type: "audio", data: "UklGRg==", mimeType: "audio/wav" };

function check(block: Block, version: string, type: string) {
  const [content] = toContent([block], version);
  expect(content?.type, `${block.type} for ${version}`).toBe(type);
}

test("[house.mcp.older-content] a kind of content that a version does not know goes as text", () => {
  check(link, "2024-11-05", "text");
  check(link, "2025-03-26", "text");
  check(link, "2025-06-18", "resource_link");
  check(link, "2026-07-28", "resource_link");
  check(audio, "2024-11-05", "text");
  check(audio, "2025-03-26", "audio");
});

test("a link that goes as text still says where it leads", () => {
  expect(toContent([link], "2024-11-05")).toEqual([{ type: "text", text: "A: qmd://a.md" }]);
});

test("[house.mcp.resource-names] name and title of a resource leave beside its text", () => {
  const resource = toContents({
    uri: "qmd://a.md",
    mimeType: "text/markdown",
    text: "# A",
    name: "a.md",
    title: "A",
  });
  expect(resource).not.toHaveProperty("name");

  const names = { name: "a.md", title: "A" };
  const answer = (result: Record<string, unknown>) =>
    restoreNames({ jsonrpc: "2.0", id: 1, result: structuredClone(result) });
  expect(answer({ content: [{ type: "text" }, { type: "resource", resource }] })).toMatchObject({
    result: { content: [{ type: "text" }, { resource: names }] },
  });
  expect(answer({ contents: [resource] })).toMatchObject({ result: { contents: [names] } });
  expect(
    answer({ messages: [{ role: "user", content: { type: "resource", resource } }] }),
  ).toMatchObject({ result: { messages: [{ content: { resource: names } }] } });
});

test("a message without resources passes as it is", () => {
  const odd = {
    jsonrpc: "2.0" as const,
    id: 1,
    result: { content: [null, 7, { resource: null }] },
  };
  expect(restoreNames(structuredClone(odd))).toEqual(odd);
});
