import type { Failure } from "../../../kernel/failure.ts";
import type { AnyOperation } from "../../../kernel/operation.ts";
import type { OutputBlock } from "../../../kernel/operations/output-block.ts";
import type { OutputFormat } from "../arguments/result-flags.ts";
import { escapeJsonControls } from "./control-characters.ts";
import type { LinkOf } from "./document-paths.ts";
import { isSearchResult, resultTableOf } from "./result-table.ts";
import type { TextOutput } from "./text-output.ts";

interface PrintOptions {
  format: OutputFormat;
  out: TextOutput;
  isNullTerminated?: boolean;
  linkOf?: LinkOf;
}

/** Prints an operation's output as text for people, or in the selected format. */
export async function printResult(
  operation: AnyOperation,
  output: Record<string, unknown>,
  input: unknown,
  { format, out, isNullTerminated = false, linkOf = () => undefined }: PrintOptions,
): Promise<void> {
  if (format === "json") return printJson(jsonResultOf(operation, output), out);
  if (format !== "text") {
    const { formatRows } = await import("./row-formats.ts");
    const table = resultTableOf(operation);
    return out.writeSanitized(formatRows(format, table, output, { isNullTerminated }));
  }
  if (out.isTerminal) {
    const table = resultTableOf(operation);
    if (isSearchResult(table) && table.rowsIn(output).length > 0) {
      const { formatSearchResults } = await import("./search-results.ts");
      return out.write(formatSearchResults(table, output, input, { out, linkOf }));
    }
  }
  const blocks = operation.present?.(output, input, "person");
  if (!blocks) return printJson(jsonResultOf(operation, output), out);
  await printBlocks(blocks, out);
}

export async function printBlocks(blocks: readonly OutputBlock[], out: TextOutput): Promise<void> {
  const parts = blocks.map((block) => {
    const text = withLineEnd(textOfBlock(block));
    // A resource is document text, which is printed unchanged in a pipe. Other blocks are messages.
    return block.type === "resource" ? text : out.sanitize(text);
  });
  await out.writeSanitized(parts.join(parts.length > 1 ? "\n" : ""));
}

/** Indented on a terminal, otherwise on one line. */
export async function printJson(value: unknown, out: TextOutput): Promise<void> {
  const json = JSON.stringify(value, null, out.isTerminal ? 2 : 0);
  await out.write(`${escapeJsonControls(json)}\n`);
}

/**
 * Prints a failure on stderr. With `--json`, it is also printed on stdout, which thus holds exactly
 * one JSON document whether the command succeeded or failed.
 */
export async function printFailure(
  failure: Failure,
  { json, out, err }: { json: boolean; out: TextOutput; err: TextOutput },
): Promise<void> {
  const { code, message, hints } = failure;
  const [first, ...others] = err.sanitize(failure.explanation).split("\n");
  const lines = [`${err.colours.red("error:")} ${first}`, ...others.map((line) => `  ${line}`)];
  await err.write(`${lines.join("\n")}\n`);
  if (json) await printJson({ error: { code, message, ...(hints.length > 0 && { hints }) } }, out);
}

/** The JSON output: one key of the output if its schema has `.meta({ json: "results" })`. */
function jsonResultOf(operation: AnyOperation, output: Record<string, unknown>): unknown {
  const key = operation.output.meta()?.json;
  return typeof key === "string" ? output[key] : output;
}

function textOfBlock(block: OutputBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return "text" in block.resource
        ? block.resource.text
        : describeBinary(block.resource.uri, block.resource.mimeType, block.resource.blob);
    case "link":
      return `${block.title ?? block.name}  ${block.uri}`;
    case "image":
    case "audio":
      return describeBinary(block.type, block.mimeType, block.data);
  }
}

const describeBinary = (what: string, mimeType: string, base64: string): string =>
  `[${what}: ${mimeType}, ${Buffer.byteLength(base64, "base64")} bytes]`;

const withLineEnd = (text: string): string =>
  text === "" || text.endsWith("\n") ? text : `${text}\n`;
