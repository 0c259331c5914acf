import type { ChildProcess } from "node:child_process";
import { Failure } from "../failure.ts";
import {
  awaitReply,
  type ChildLost,
  findChildProgram,
  openSharedChild,
  startChild,
} from "../processes/child-process.ts";
import { createSerialQueue } from "../processes/serial-queue.ts";
import { unreadableFile } from "./file-errors.ts";
import type { ConvertedFormat, OutputStyle } from "./format.ts";

/** Converts files to text in a child process, one at a time. */
export interface Converter {
  convert(job: ConversionJob): Promise<string>;
  /** Ends the child. Files that still wait fail. */
  close(): Promise<void>;
}

export interface ConverterOptions {
  /** The file that the child runs. */
  program?: string;
  /** How long one file may take. */
  deadlineMs?: number;
  /** How long an idle child stays alive. */
  idleMs?: number;
}

export interface ConversionJob {
  format: ConvertedFormat | "notebook";
  style: OutputStyle;
  /** The file's name without its extension: the title of a document that has none. */
  name: string;
  bytes: Uint8Array;
}

/** A temporary problem is not caused by the file, for example if the converter was uninstalled. */
export type ConversionOutcome = { text: string } | { problem: string; isTemporary?: boolean };

/** `shouldReplace`: the child used so much memory that the next file needs a new one. */
export type ConversionReply = ConversionOutcome & { shouldReplace: boolean };

/**
 * Converters run in a child process, so a file that crashes them, exhausts the memory or never
 * finishes affects no other file. The first file starts the child, and later ones reuse it. The
 * child exits when the IPC channel closes, even if this process is killed.
 */
export function openConverter(options: ConverterOptions): Converter {
  const { deadlineMs = 20_000, idleMs = 60_000 } = options;
  const queue = createSerialQueue();
  const shared = openSharedChild(idleMs);
  const start = () => startConverter(findChildProgram("convert/convert.mjs", options.program));
  let closed = false;

  async function convert(job: ConversionJob): Promise<string> {
    if (closed) throw converterUnavailable(shutdownReason);
    const child = shared.getOrStart(start);
    const reply = await awaitReply(child, job, { deadlineMs }, (reply: ConversionReply) => reply);
    if ("lost" in reply) {
      shared.kill();
      throw closed ? converterUnavailable(shutdownReason) : failureOfLoss(reply);
    }
    const { shouldReplace, ...outcome } = reply.answer;
    const isReusable = !shouldReplace && !("isTemporary" in outcome);
    if (isReusable) shared.release();
    else shared.kill();
    if ("text" in outcome) return outcome.text;
    throw outcome.isTemporary
      ? converterUnavailable(outcome.problem)
      : unreadableFile(outcome.problem);
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

/** The file is not the cause, so the conversion is retried later. */
const converterUnavailable = (reason: string): Failure =>
  new Failure("unavailable", "no-converter", reason);

const shutdownReason = "the program ended before it was read";

function failureOfLoss({ lost }: ChildLost): Failure {
  if (lost === "late") return unreadableFile("it takes too long to read");
  if (lost === "gone") return unreadableFile("reading it crashed the converter");
  return converterUnavailable("its converter cannot be started");
}

function startConverter(program: string | undefined): ChildProcess {
  if (!program) throw converterUnavailable("its converter is not installed");
  return startChild(["--max-old-space-size=512", program]);
}
