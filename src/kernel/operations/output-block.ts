/** A block of output, as written by `present`, a resource or a prompt. */
export type OutputBlock =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: "audio"; data: string; mimeType: string }
  | { type: "resource"; resource: ResourceContent }
  | { type: "link"; uri: string; name: string; title?: string; mimeType?: string; size?: number };

/** The content of one resource: text, or bytes in base64. */
export type ResourceContent = {
  uri: string;
  mimeType: string;
  /**
   * The search specification prints both beside the text; see `surfaces/mcp/answers/content.ts`.
   */
  name?: string;
  title?: string;
} & ({ text: string } | { blob: string });

export const textBlock = (text: string): OutputBlock => ({ type: "text", text });

export const resourceBlock = (content: ResourceContent): OutputBlock => ({
  type: "resource",
  resource: content,
});
