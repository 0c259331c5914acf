import { readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { text as wholeText } from "node:stream/consumers";
import { makeBoundary } from "../kernel/boundary.ts";
import { Failure, invalid } from "../kernel/failure.ts";
import { makeFile } from "../kernel/new-file.ts";
import { inDirectory } from "../kernel/safe-directory.ts";
import type { CommandContext } from "../surfaces/cli/command.ts";
import { printJson, readJson } from "../text/objects/json.ts";
import { type Format, inFormat, parseObjects } from "../text/objects/parse.ts";
import { rebuildObjects } from "../text/objects/rebuild.ts";
import type { Value } from "../text/objects/value.ts";

interface Places {
  input?: string | undefined;
  output?: string | undefined;
  batch: boolean;
}

export interface Parsing extends Places {
  format: Format;
  comments: boolean;
  syntax: boolean;
  pretty: boolean;
}

export function parse(asked: Parsing, context: CommandContext): Promise<number> {
  const { format, pretty } = asked;
  if (asked.batch) {
    return answerLines(context, (line) => {
      const own = line.get("format") ?? format;
      if (!isFormat(own)) throw invalid("format must be minimal, standard or full");
      return inFormat(parseObjects(textIn(line)), own, asked);
    });
  }
  return transform(asked, context, (text) => {
    const objects = inFormat(parseObjects(text), format, asked);
    return `${printJson(objects, { pretty })}\n`;
  });
}

export function rebuild(asked: Places, context: CommandContext): Promise<number> {
  if (asked.batch) return answerLines(context, (line) => rebuildObjects(listIn(line.get("input"))));
  return transform(asked, context, (text) => rebuildObjects(listIn(jsonIn(text))));
}

/** Reads all, then writes all, wherever from and to. */
async function transform(
  { input, output }: Places,
  context: CommandContext,
  change: (text: string) => string,
): Promise<number> {
  const given = input === undefined ? await wholeText(process.stdin) : readFile(context, input);
  const changed = change(given);
  if (output === undefined) await context.out.writeForeign(changed);
  else await writeFile(context, output, changed);
  return 0;
}

type Where = Pick<CommandContext, "cwd" | "settings">;

function readFile({ cwd, settings: { forceRoot } }: Where, file: string): string {
  try {
    if (forceRoot === undefined) return readFileSync(resolve(cwd, file), "utf8");
    const boundary = makeBoundary({ base: cwd, forceRoot });
    const path = boundary.enter(file);
    return boundary.readFile(path, dirname(path)).toString("utf8");
  } catch (error) {
    throw asFailure(`'${file}' cannot be read`, error);
  }
}

/** Without a force root this is what the shell's `>` does, and `/dev/stdout` is a file like others. */
export async function writeFile(
  { cwd, settings: { forceRoot } }: Where,
  file: string,
  text: string,
): Promise<void> {
  try {
    if (forceRoot === undefined) return writeFileSync(resolve(cwd, file), text);
    const boundary = makeBoundary({ base: cwd, forceRoot });
    const { directory, name } = boundary.openParent(file);
    const write = (fresh: string): void => directory.write(fresh, text);
    await inDirectory(directory, () => makeFile(directory, name, write, { overwrite: true }));
  } catch (error) {
    throw asFailure(`'${file}' cannot be written`, error);
  }
}

function asFailure(what: string, cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  const { code } = cause as NodeJS.ErrnoException;
  return new Failure("invalid", "invalid-argument", `${what} (${code}).`, { cause });
}

/** One line of JSON in, one line of JSON out; a bad line costs its own answer and nothing else. */
async function answerLines(
  { out }: CommandContext,
  answer: (line: ReadonlyMap<string, Value>) => Value,
): Promise<number> {
  for await (const line of linesOf(process.stdin.setEncoding("utf8"))) {
    if (line.trim() === "") continue;
    await out.writeForeign(`${printJson(answered(line, answer))}\n`);
  }
  return 0;
}

/** Only a newline ends a line: JSON may hold all other characters that some call so. */
async function* linesOf(input: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const piece of input) {
    const [first = "", ...others] = piece.split("\n");
    begun.push(first);
    for (const next of others) {
      yield begun.join("");
      begun = [next];
    }
  }
  yield begun.join("");
}

function answered(line: string, answer: (line: ReadonlyMap<string, Value>) => Value): Value {
  try {
    const read = readJson(line);
    if (!(read instanceof Map)) throw invalid("each line must be an object");
    return answer(read);
  } catch (error) {
    return new Map([["error", error instanceof Error ? error.message : "unreadable"]]);
  }
}

function jsonIn(text: string): Value {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(`The input is not JSON: ${error.message}.`);
    throw error;
  }
}

function textIn(line: ReadonlyMap<string, Value>): string {
  const input = line.get("input");
  if (typeof input !== "string") throw invalid("input must be a text");
  return input;
}

function listIn(value: Value | undefined): Value[] {
  if (!Array.isArray(value)) throw invalid("the input must be a list of objects");
  return value;
}

const isFormat = (word: Value): word is Format =>
  word === "minimal" || word === "standard" || word === "full";
