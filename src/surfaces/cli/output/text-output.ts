import type pc from "picocolors";
import { replaceControls } from "./control-characters.ts";

/** A writable stream: `process.stdout`, another stream, or a replacement for one. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string, done: (error?: Error | null) => void): unknown;
  on?(event: "error", listener: () => void): unknown;
}

/** An output stream of the command line. */
export interface TextOutput {
  readonly isTerminal: boolean;
  /** The width at which text is wrapped. */
  readonly columns: number;
  readonly colours: Colours;
  /** Makes text a link that the terminal opens; the text itself without colours or an address. */
  link(text: string, url: string | undefined): string;
  /** Writes trusted text, which may contain colours. */
  write(text: string): Promise<void>;
  /**
   * Writes document text or data: byte-exact into a pipe or a file; on a terminal, control characters
   * are replaced.
   */
  writeSanitized(text: string): Promise<void>;
  /**
   * Replaces control characters in names and messages, also in a pipe or a file, whose content may
   * be shown on a terminal later.
   */
  sanitize(text: string): string;
}

export type Colours = Pick<
  ReturnType<typeof pc.createColors>,
  "bold" | "cyan" | "dim" | "green" | "italic" | "red" | "yellow"
>;

/** Thrown when the reader has closed the pipe: `lectern ls | head -1`. */
export class OutputClosed extends Error {}

const maxColumns = 100;

export async function openTextOutput(
  stream: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
  colour: boolean | undefined,
): Promise<TextOutput> {
  const isTerminal = stream.isTTY === true;
  // Writes report their errors; without a listener, the same error would also end the process.
  stream.on?.("error", ignore);
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (text === "") return resolve();
      stream.write(text, (error) => {
        if (!error) resolve();
        else reject(isDisconnected(error) ? new OutputClosed() : error);
      });
    });
  const isColoured = colour ?? wantsColour(isTerminal, env);
  return {
    isTerminal,
    columns: Math.min(stream.columns || maxColumns, maxColumns),
    colours: await loadColours(isColoured),
    link: (text, url) =>
      isTerminal && isColoured && url !== undefined ? `${linkTo(url)}${text}${linkTo("")}` : text,
    write,
    writeSanitized: (text) => write(isTerminal ? replaceControls(text) : text),
    sanitize: replaceControls,
  };
}

/** OSC 8, the escape sequence of links. An address has no control characters: they are encoded. */
const linkTo = (url: string): string => `\x1b]8;;${url}\x1b\\`;

function wantsColour(terminal: boolean, env: Readonly<Record<string, string | undefined>>) {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return terminal && env.TERM !== "dumb";
}

/** Imported on demand: picocolors makes Node create `process.stdout`, which is slow. */
async function loadColours(wanted: boolean): Promise<Colours> {
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

const isDisconnected = (error: Error & { code?: string }): boolean =>
  ["EPIPE", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END", "ECONNRESET"].includes(
    error.code ?? "",
  );
