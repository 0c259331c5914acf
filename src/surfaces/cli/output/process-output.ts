import { fstatSync, writeSync } from "node:fs";
import type { OutputStream } from "./text-output.ts";

/**
 * Opens stdout or stderr. Node's own stream loads its network code, which slows every start, so it
 * is used for a terminal only; pipes and files are written directly.
 */
export function openProcessOutput(descriptor: 1 | 2): OutputStream {
  const stream = () => (descriptor === 1 ? process.stdout : process.stderr);
  if (fstatSync(descriptor).isCharacterDevice()) return stream();
  return {
    write(text, done) {
      let rest = Buffer.from(text);
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
      } catch (error) {
        // A write to an open descriptor throws only system errors, which have a code.
        const systemError = error as NodeJS.ErrnoException;
        // The pipe is full and non-blocking: Node's stream waits until it can be written.
        return systemError.code === "EAGAIN" ? stream().write(rest, done) : done(systemError);
      }
      done();
    },
  };
}
