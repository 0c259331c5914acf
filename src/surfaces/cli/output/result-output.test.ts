import { expect, test } from "vitest";
import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { resourceBlock, textBlock } from "../../../kernel/operations/output-block.ts";
import { printResult } from "./result-output.ts";
import { openTextOutput } from "./text-output.ts";

const text = "a\u001b[31mb\r\nc\u0007\n";

const reading = operationsFor<unknown>()({
  name: "read",
  title: "Read",
  summary: "Gives a document and says something of it.",
  input: z.object({}),
  output: z.object({}),
  effect: "reads",
  expose: {},
  example: {},
  run: () => ({}),
  present: () => [
    textBlock("Skipped \u001b[31mx"),
    resourceBlock({ uri: "qmd://a", name: "a", mimeType: "text/plain", text }),
  ],
});

async function printed(isTTY: boolean): Promise<string> {
  let written = "";
  const stream = {
    isTTY,
    write(words: string, done: () => void) {
      written += words;
      done();
    },
  };
  const out = await openTextOutput(stream, {}, false);
  await printResult(reading, {}, {}, { format: "text", out });
  return written;
}

test("[core.cli.documents] document text is written to a pipe byte for byte, without its context", async () => {
  expect(await printed(false)).toBe(`Skipped ␛[31mx\n\n${text}`);
  expect(await printed(true)).toBe("Skipped ␛[31mx\n\na␛[31mb\nc␇\n");
});
