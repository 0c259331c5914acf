import { notebookToMarkdown } from "../../../text/formats/notebook.ts";
import { decodeText } from "../../../text/formats/text-decoder.ts";
import { damagedFile } from "../file-errors.ts";

export function readNotebook(bytes: Uint8Array): string {
  const text = notebookToMarkdown(decodeText(bytes) ?? "");
  if (text === undefined) throw damagedFile();
  return text;
}
