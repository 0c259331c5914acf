import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openSharedChild, startChild } from "../child-process.ts";
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
  const start = () => startConverter(options.program ? [options.program] : shippedPrograms());
  let closed = false;

  /** While an answer is awaited the process must not end; the deadline's timer sees to that. */
  function convert(job: ConversionJob): Promise<string> {
    if (closed) throw notNow("the program ended before it was read");
    const current = shared.take(start);
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => fail(unreadable("it takes too long to read")), deadlineMs);
      const finish = () => {
        clearTimeout(deadline);
        current.off("message", hear).off("exit", crash).off("error", refuse);
        shared.rest();
      };
      const fail = (failure: Failure) => {
        finish();
        shared.dismiss();
        reject(closed ? notNow("the program ended before it was read") : failure);
      };
      const crash = () => fail(unreadable("reading it crashed the converter"));
      const refuse = () => fail(notNow("its converter cannot be started"));
      const hear = (answer: Answer) => {
        finish();
        if (answer.isSpent) shared.dismiss();
        if ("text" in answer) return resolve(answer.text);
        if (!answer.forNow) return reject(unreadable(answer.problem));
        shared.dismiss();
        reject(notNow(answer.problem));
      };
      current.on("message", hear).on("exit", crash).on("error", refuse);
      // A child that cannot be sent to has ended or is about to, and says so by itself.
      current.send(job, () => undefined);
    });
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

function startConverter(places: readonly string[]): ChildProcess {
  const program = places.find((place) => existsSync(place));
  if (!program) throw notNow("its converter is not installed");
  return startChild(["--max-old-space-size=512", program]);
}

/** Beside the program's own bundle; while the sources are run, where the build puts it. */
const shippedPrograms = (): string[] =>
  ["./convert/convert.mjs", "../../../dist/convert/convert.mjs"].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
