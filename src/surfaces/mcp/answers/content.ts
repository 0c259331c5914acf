import type {
  BlobResourceContents,
  ContentBlock,
  JSONRPCMessage,
  TextResourceContents,
} from "@modelcontextprotocol/server";
import type { OutputBlock, ResourceContent } from "../../../kernel/operations/output-block.ts";
import { isJsonObject } from "../../../text/formats/json-value.ts";

/**
 * Converts blocks for a protocol version. Clients ignore unknown members but reject unknown types of
 * content, so types that the version does not have are sent as text.
 */
export const toContentBlocks = (blocks: readonly OutputBlock[], version: string): ContentBlock[] =>
  blocks.map((block) => toBlock(block, version));

function toBlock(block: OutputBlock, version: string): ContentBlock {
  switch (block.type) {
    case "text":
    case "image":
      return block;
    case "audio":
      return version >= "2025-03-26" ? block : asText(`[${block.mimeType}, omitted]`);
    case "resource":
      return { type: "resource", resource: toResourceContents(block.resource) };
    case "link": {
      const { type: _, ...link } = block;
      return version >= "2025-06-18"
        ? { type: "resource_link", ...link }
        : asText(`${link.title ?? link.name}: ${link.uri}`);
    }
  }
}

type ResourceContents = TextResourceContents | BlobResourceContents;

const asText = (text: string): ContentBlock => ({ type: "text", text });

const nameKey = "lectern/name";
const titleKey = "lectern/title";

/**
 * The founding document of the search shelf adds a name and a title to resource contents. MCP has no
 * such members, and the SDK removes them from tool results. So they are passed in `_meta`, and
 * `restoreResourceNames` sets them before sending. `_meta` keeps them for clients that remove
 * unknown members.
 */
export function toResourceContents({ name, title, ...content }: ResourceContent): ResourceContents {
  if (name === undefined && title === undefined) return content;
  return {
    ...content,
    _meta: {
      ...(name !== undefined && { [nameKey]: name }),
      ...(title !== undefined && { [titleKey]: title }),
    },
  };
}

/** Sets the names of resources in an outgoing message, as the founding document requires. */
export function restoreResourceNames(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message)) return message;
  const { content, contents, messages } = message.result;
  for (const block of objectsIn(content)) restoreName(block.resource);
  for (const resource of objectsIn(contents)) restoreName(resource);
  for (const { content: block } of objectsIn(messages))
    if (isJsonObject(block)) restoreName(block.resource);
  return message;
}

function restoreName(resource: unknown): void {
  if (!isJsonObject(resource) || !isJsonObject(resource._meta)) return;
  const { [nameKey]: name, [titleKey]: title } = resource._meta;
  if (name !== undefined) resource.name = name;
  if (title !== undefined) resource.title = title;
}

const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
