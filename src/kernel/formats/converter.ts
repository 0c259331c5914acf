import type { ChildProcess } from "node:child_process";
import { childProgram, hearOut, type Lost, openSharedChild, startChild } from "../child-process.ts";
import { Failure } from "../failure.ts";
import { makeQueue } from "../queue.ts";
import type { ConvertedFormat, Manner } from "./format.ts";
import { unreadable } from "./unreadable.ts";

/** Files that are read by a process of their own, one after the other. */
export interface Converter {
  convert(job: ConversionJob): Promise<string>;
  /** Ends the process; files that still wait fail. */
  close(): Promise<void>;
}

export interface ConverterOptions {
  /** The file that the child runs. */
  program?: string;
  /** How long one file may take. */
  deadlineMs?: number;
  /** How long the child stays when there is nothing to convert. */
  idleMs?: number;
}

export interface ConversionJob {
  format: ConvertedFormat | "notebook";
  manner: Manner;
  /** The file's name without its extension, for a document that names itself nowhere. */
  name: string;
  bytes: Uint8Array;
}

/** A problem for now is none of the file's: a part of the program has gone while it runs. */
export type ConversionOutcome = { text: string } | { problem: string; forNow?: boolean };

/** A child that is spent has taken so much memory that the next file gets another one. */
type Answer = ConversionOutcome & { isSpent: boolean };

/**
 * The converters live in a child process: a file that crashes them, fills the memory or never ends
 * costs itself and nothing else. The child is started by the first file and kept for the next ones;
 * it ends when our end of its channel closes, so also when we are killed.
 */
export function openConverter(options: ConverterOptions): Converter {
  const { deadlineMs = 20_000, idleMs = 60_000 } = options;
  const queue = makeQueue();
  const shared = openSharedChild(idleMs);
  const start = () => startConverter(childProgram("convert/convert.mjs", options.program));
  let closed = false;

  async function convert(job: ConversionJob): Promise<string> {
    if (closed) throw notNow(ending);
    const child = shared.take(start);
    const heard = await hearOut(child, job, { deadlineMs }, (answer: Answer) => answer);
    if ("lost" in heard) {
      shared.dismiss();
      throw closed ? notNow(ending) : lossOf(heard);
    }
    const { isSpent, ...outcome } = heard.answer;
    const isFit = !isSpent && !("forNow" in outcome);
    if (isFit) shared.rest();
    else shared.dismiss();
    if ("text" in outcome) return outcome.text;
    throw outcome.forNow ? notNow(outcome.problem) : unreadable(outcome.problem);
  }

  return {
    convert: (job) => queue.run(job.name, () => convert(job)),
    async close() {
      closed = true;
      await shared.close();
      await queue.idle();
    },
  };
}

/** The file is not to blame, and may be read another time. */
const notNow = (reason: string): Failure => new Failure("unavailable", "no-converter", reason);

const ending = "the program ended before it was read";

function lossOf({ lost }: Lost): Failure {
  if (lost === "late") return unreadable("it takes too long to read");
  if (lost === "gone") return unreadable("reading it crashed the converter");
  return notNow("its converter cannot be started");
}

function startConverter(program: string | undefined): ChildProcess {
  if (!program) throw notNow("its converter is not installed");
  return startChild(["--max-old-space-size=512", program]);
}
