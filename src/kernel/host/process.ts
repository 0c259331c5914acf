import { childProgram, startChild } from "../child-process.ts";
import { Failure } from "../failure.ts";
import type { HostConnection } from "./host.ts";
import type { FromHost } from "./message.ts";

/** What the process itself says, beside what its worker does. */
export interface OutOfMemory {
  kind: "out-of-memory";
}

/** Starts a process as a host. `job` is what its worker thread finds as its data. */
export function startHostProcess(job: object, program?: string): HostConnection {
  const file = childProgram("host.mjs", program);
  if (!file) {
    throw new Failure("unavailable", "no-host", "A part of the program is missing.", {
      hints: ["Install or build it anew."],
    });
  }
  const child = startChild([file]);
  // A child that cannot be sent to has ended or is about to, and says so by itself.
  const send = (message: object): void => void child.send(message, () => undefined);
  const kill = (): void => void child.kill("SIGKILL");
  let isFull = false;
  send(job);
  return {
    send,
    listen(listener) {
      child.on("message", (message: FromHost | OutOfMemory) => {
        if (message.kind !== "out-of-memory") return listener(message);
        isFull = true;
        kill();
      });
    },
    onEnd(listener) {
      child.on("exit", () => listener(isFull ? "memory" : "gone"));
      child.on("error", () => listener("gone"));
    },
    kill,
  };
}
