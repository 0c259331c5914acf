import { fstatSync, writeSync } from "node:fs";
import type { OutputStream } from "./screen.ts";

/**
 * One of the process's two outputs. Node's own stream brings its network code along, which every
 * start would pay for. A terminal has need of it; into a pipe or a file the bytes go by themselves.
 */
export function outputOn(descriptor: 1 | 2): OutputStream {
  const stream = () => (descriptor === 1 ? process.stdout : process.stderr);
  if (fstatSync(descriptor).isCharacterDevice()) return stream();
  return {
    write(text, done) {
      let rest = Buffer.from(text);
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
      } catch (error) {
        // What a write to an open descriptor throws is an error of the system, with its code.
        const failed = error as NodeJS.ErrnoException;
        // The pipe is full and does not let us wait for its reader: the stream knows how to.
        return failed.code === "EAGAIN" ? stream().write(rest, done) : done(failed);
      }
      done();
    },
  };
}
