import { decode } from "../../text/decoding.ts";
import { notebookToMarkdown } from "../../text/notebook.ts";
import { damaged } from "./unreadable.ts";

export function readNotebook(bytes: Uint8Array): string {
  const text = notebookToMarkdown(decode(bytes) ?? "");
  if (text === undefined) throw damaged();
  return text;
}
