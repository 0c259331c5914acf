import type pc from "picocolors";
import { printable } from "./printable.ts";

/** What is written on: `process.stdout`, any other stream, or what does without one. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string, done: (error?: Error | null) => void): unknown;
  on?(event: "error", listener: () => void): unknown;
}

/** A stream as the command line writes on it. */
export interface Screen {
  readonly terminal: boolean;
  /** How wide a page is set. */
  readonly columns: number;
  readonly colours: Colours;
  /** Our own words, colours included. */
  write(text: string): Promise<void>;
  /** Words of documents and callers: without escapes where a terminal would obey them. */
  writeForeign(text: string): Promise<void>;
  /** `writeForeign` for a piece within a line of ours. */
  foreign(text: string): string;
}

export type Colours = Pick<
  ReturnType<typeof pc.createColors>,
  "bold" | "cyan" | "dim" | "green" | "italic" | "red" | "yellow"
>;

/** Thrown where the reader has gone: `lectern ls | head -1`. */
export class ReaderGone extends Error {}

const widest = 100;

export async function openScreen(
  stream: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
  colour: boolean | undefined,
): Promise<Screen> {
  const terminal = stream.isTTY === true;
  // Writes report their own errors; without a listener the same error would also end the process.
  stream.on?.("error", ignore);
  const foreign = (text: string): string => (terminal ? printable(text) : text);
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (text === "") return resolve();
      stream.write(text, (error) => {
        if (!error) resolve();
        else reject(isGone(error) ? new ReaderGone() : error);
      });
    });
  return {
    terminal,
    columns: Math.min(stream.columns || widest, widest),
    colours: await coloursOf(colour ?? wantsColour(terminal, env)),
    write,
    writeForeign: (text) => write(foreign(text)),
    foreign,
  };
}

function wantsColour(terminal: boolean, env: Readonly<Record<string, string | undefined>>) {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return terminal && env.TERM !== "dumb";
}

/** Loaded where they are seen: the package has Node make `process.stdout`, which takes its time. */
async function coloursOf(wanted: boolean): Promise<Colours> {
  return wanted ? (await import("picocolors")).default.createColors(true) : noColours;
}

const noColours: Colours = {
  bold: String,
  cyan: String,
  dim: String,
  green: String,
  italic: String,
  red: String,
  yellow: String,
};

function ignore(): void {}

const isGone = (error: Error & { code?: string }): boolean =>
  ["EPIPE", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END", "ECONNRESET"].includes(
    error.code ?? "",
  );
