/** What a reader sees: the pieces that `present`, a resource or a prompt are made of. */
export type Block =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: "audio"; data: string; mimeType: string }
  | { type: "resource"; resource: Content }
  | { type: "link"; uri: string; name: string; title?: string; mimeType?: string; size?: number };

/** The content of one resource: text, or bytes in base64. */
export type Content = {
  uri: string;
  mimeType: string;
  /** The founding search document prints both beside the text; see `surfaces/mcp/content.ts`. */
  name?: string;
  title?: string;
} & ({ text: string } | { blob: string });

export const text = (words: string): Block => ({ type: "text", text: words });

export const resource = (content: Content): Block => ({ type: "resource", resource: content });
