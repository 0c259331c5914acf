import type { Block } from "../../kernel/block.ts";
import type { Failure } from "../../kernel/failure.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import type { Format } from "./answer-flags.ts";
import { printableJson } from "./printable.ts";
import type { Screen } from "./screen.ts";
import { areHits, tableOf } from "./table.ts";

/** What an operation gave, for a person in words or for a program in one of the formats. */
export async function printAnswer(
  operation: AnyOperation,
  output: Record<string, unknown>,
  input: unknown,
  { format, out }: { format: Format; out: Screen },
): Promise<void> {
  if (format === "json") return printJson(answerOf(operation, output), out);
  if (format !== "text") {
    const { formatted } = await import("./formatted.ts");
    return out.writeForeign(formatted(format, tableOf(operation), output));
  }
  if (out.terminal) {
    const table = tableOf(operation);
    if (areHits(table) && table.rowsIn(output).length > 0) {
      const { hitPage } = await import("./hit-page.ts");
      return out.write(hitPage(table, output, input, out));
    }
  }
  const blocks = operation.present?.(output, input, "person");
  if (!blocks) return printJson(answerOf(operation, output), out);
  const parts = blocks.map((block) => endLine(wordsOf(block)));
  await out.writeForeign(parts.join(parts.length > 1 ? "\n" : ""));
}

/** Indented for eyes, on one line for programs that read line by line. */
export async function printJson(value: unknown, out: Screen): Promise<void> {
  const json = JSON.stringify(value, null, out.terminal ? 2 : 0);
  await out.write(`${out.terminal ? printableJson(json) : json}\n`);
}

/**
 * People read a failure on stderr. With `--json`, stdout holds one JSON document however the
 * command ended, so that a program needs to read nothing else.
 */
export async function printFailure(
  failure: Failure,
  { json, out, err }: { json: boolean; out: Screen; err: Screen },
): Promise<void> {
  const { code, message, hints } = failure;
  const [first, ...others] = err.foreign(failure.explanation).split("\n");
  const lines = [`${err.colours.red("error:")} ${first}`, ...others.map((line) => `  ${line}`)];
  await err.write(`${lines.join("\n")}\n`);
  if (json) await printJson({ error: { code, message, ...(hints.length > 0 && { hints }) } }, out);
}

/** An output schema with `.meta({ json: "results" })` names the key that is the answer. */
function answerOf(operation: AnyOperation, output: Record<string, unknown>): unknown {
  const key = operation.output.meta()?.json;
  return typeof key === "string" ? output[key] : output;
}

function wordsOf(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return "text" in block.resource
        ? block.resource.text
        : bytesOf(block.resource.uri, block.resource.mimeType, block.resource.blob);
    case "link":
      return `${block.title ?? block.name}  ${block.uri}`;
    case "image":
    case "audio":
      return bytesOf(block.type, block.mimeType, block.data);
  }
}

const bytesOf = (what: string, mimeType: string, base64: string): string =>
  `[${what}: ${mimeType}, ${Buffer.byteLength(base64, "base64")} bytes]`;

const endLine = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
