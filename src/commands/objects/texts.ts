import { readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { text as wholeText } from "node:stream/consumers";
import { Failure, invalid } from "../../kernel/failure.ts";
import { createFileAtomically } from "../../kernel/files/new-file.ts";
import { withDirectory } from "../../kernel/files/safe-directory.ts";
import { createBoundary } from "../../kernel/paths/boundary.ts";
import type { CommandContext } from "../../surfaces/cli/command.ts";
import { type DetailLevel, parseObjects, withDetail } from "../../text/objects/parse-objects.ts";
import { formatJson, parseJsonValue } from "../../text/objects/values/json.ts";
import type { Value } from "../../text/objects/values/value.ts";
import { writeObjects } from "../../text/objects/writing/write-objects.ts";

interface TransformFiles {
  input?: string | undefined;
  output?: string | undefined;
  batch: boolean;
}

export interface ParseInput extends TransformFiles {
  format: DetailLevel;
  comments: boolean;
  syntax: boolean;
  pretty: boolean;
}

export function parseText(options: ParseInput, context: CommandContext): Promise<number> {
  const { format, pretty } = options;
  if (options.batch) {
    return transformJsonLines(context, (line) => {
      const lineFormat = line.get("format") ?? format;
      if (!isFormat(lineFormat)) throw invalid("format must be minimal, standard or full");
      return withDetail(parseObjects(readTextInput(line)), lineFormat, options);
    });
  }
  return transformFile(options, context, (text) => {
    const objects = withDetail(parseObjects(text), format, options);
    return `${formatJson(objects, { pretty })}\n`;
  });
}

export function rebuildText(options: TransformFiles, context: CommandContext): Promise<number> {
  if (options.batch)
    return transformJsonLines(context, (line) => writeObjects(readListInput(line.get("input"))));
  return transformFile(options, context, (text) =>
    writeObjects(readListInput(parseInputJson(text))),
  );
}

/** Reads the whole input, then writes the whole output. */
async function transformFile(
  { input, output }: TransformFiles,
  context: CommandContext,
  transform: (text: string) => string,
): Promise<number> {
  const text = input === undefined ? await wholeText(process.stdin) : readInputFile(context, input);
  const result = transform(text);
  if (output === undefined) await context.out.writeSanitized(result);
  else await writeOutputFile(context, output, result);
  return 0;
}

type FileContext = Pick<CommandContext, "cwd" | "settings">;

function readInputFile({ cwd, settings: { forceRoot } }: FileContext, file: string): string {
  try {
    if (forceRoot === undefined) return readFileSync(resolve(cwd, file), "utf8");
    const boundary = createBoundary({ base: cwd, forceRoot });
    const path = boundary.resolvePath(file);
    return boundary.readFile(path, dirname(path)).toString("utf8");
  } catch (error) {
    throw toFailure(`'${file}' cannot be read`, error);
  }
}

/** Without a force root this works like the shell's `>`, also for `/dev/stdout`. */
export async function writeOutputFile(
  { cwd, settings: { forceRoot } }: FileContext,
  file: string,
  text: string,
): Promise<void> {
  try {
    if (forceRoot === undefined) return writeFileSync(resolve(cwd, file), text);
    const boundary = createBoundary({ base: cwd, forceRoot });
    const { directory, name } = boundary.openParentDirectory(file);
    const write = (temporaryName: string): void => directory.write(temporaryName, text);
    await withDirectory(directory, () =>
      createFileAtomically(directory, name, write, { overwrite: true }),
    );
  } catch (error) {
    throw toFailure(`'${file}' cannot be written`, error);
  }
}

function toFailure(what: string, cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  const { code } = cause as NodeJS.ErrnoException;
  return new Failure("invalid", "invalid-argument", `${what} (${code}).`, { cause });
}

/** Reads and writes one line of JSON at a time. An invalid line produces a line with an error. */
async function transformJsonLines(
  { out }: CommandContext,
  transform: (line: ReadonlyMap<string, Value>) => Value,
): Promise<number> {
  for await (const line of splitLines(process.stdin.setEncoding("utf8"))) {
    if (line.trim() === "") continue;
    await out.writeSanitized(`${formatJson(transformLine(line, transform))}\n`);
  }
  return 0;
}

/** Splits at newlines only: JSON may contain the other Unicode line separators. */
async function* splitLines(input: AsyncIterable<string>): AsyncGenerator<string> {
  let partial: string[] = [];
  for await (const chunk of input) {
    const [first = "", ...others] = chunk.split("\n");
    partial.push(first);
    for (const lineStart of others) {
      yield partial.join("");
      partial = [lineStart];
    }
  }
  yield partial.join("");
}

function transformLine(
  line: string,
  transform: (line: ReadonlyMap<string, Value>) => Value,
): Value {
  try {
    const value = parseJsonValue(line);
    if (!(value instanceof Map)) throw invalid("each line must be an object");
    return transform(value);
  } catch (error) {
    return new Map([
      ["error", error instanceof Error ? error.message : "the line cannot be processed"],
    ]);
  }
}

function parseInputJson(text: string): Value {
  try {
    return parseJsonValue(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(`The input is not JSON: ${error.message}.`);
    throw error;
  }
}

function readTextInput(line: ReadonlyMap<string, Value>): string {
  const input = line.get("input");
  if (typeof input !== "string") throw invalid("input must be a string");
  return input;
}

function readListInput(value: Value | undefined): Value[] {
  if (!Array.isArray(value)) throw invalid("the input must be a list of objects");
  return value;
}

const isFormat = (value: Value): value is DetailLevel =>
  value === "minimal" || value === "standard" || value === "full";
