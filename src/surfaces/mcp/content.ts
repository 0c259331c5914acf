import type {
  BlobResourceContents,
  ContentBlock,
  JSONRPCMessage,
  TextResourceContents,
} from "@modelcontextprotocol/server";
import type { Block, Content } from "../../kernel/block.ts";
import { isObject } from "../../text/json-value.ts";

/**
 * Blocks as a client of one protocol version reads them. A schema of an older version forgives
 * members that it does not know, but not a kind of content that it does not know: those go as text.
 */
export const toContent = (blocks: readonly Block[], version: string): ContentBlock[] =>
  blocks.map((block) => toBlock(block, version));

function toBlock(block: Block, version: string): ContentBlock {
  switch (block.type) {
    case "text":
    case "image":
      return block;
    case "audio":
      return version >= "2025-03-26" ? block : asText(`[${block.mimeType}, left out]`);
    case "resource":
      return { type: "resource", resource: toContents(block.resource) };
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
 * The founding search document prints a name and a title beside a resource's text. The protocol has
 * no such members and the SDK strips them from a tool's result, so they travel in `_meta` up to the
 * transport, where `restoreNames` sets them. They stay in `_meta` too, for clients that strip.
 */
export function toContents({ name, title, ...content }: Content): ResourceContents {
  if (name === undefined && title === undefined) return content;
  return {
    ...content,
    _meta: {
      ...(name !== undefined && { [nameKey]: name }),
      ...(title !== undefined && { [titleKey]: title }),
    },
  };
}

/** An outgoing message with the names of its resources where the founding document wants them. */
export function restoreNames(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message)) return message;
  const { content, contents, messages } = message.result;
  for (const block of listed(content)) nameInPlace(block.resource);
  for (const resource of listed(contents)) nameInPlace(resource);
  for (const { content: block } of listed(messages))
    if (isObject(block)) nameInPlace(block.resource);
  return message;
}

function nameInPlace(resource: unknown): void {
  if (!isObject(resource) || !isObject(resource._meta)) return;
  const { [nameKey]: name, [titleKey]: title } = resource._meta;
  if (name !== undefined) resource.name = name;
  if (title !== undefined) resource.title = title;
}

const listed = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
