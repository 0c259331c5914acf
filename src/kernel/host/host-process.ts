import { Failure } from "../failure.ts";
import { findChildProgram, startChild } from "../processes/child-process.ts";
import type { HostConnection } from "./host.ts";
import type { FromHost } from "./messages.ts";

/** A message of the process itself, in addition to those of its worker. */
export interface OutOfMemory {
  kind: "out-of-memory";
}

/** Starts a host process. `job` becomes the data of its worker thread. */
export function startHostProcess(job: object, program?: string): HostConnection {
  const file = findChildProgram("host.mjs", program);
  if (!file) {
    throw new Failure("unavailable", "no-host", "The file host.mjs of the program is missing.", {
      hints: ["Reinstall or rebuild Lectern."],
    });
  }
  const child = startChild([file]);
  // If sending fails, the child has ended or is about to, and its exit event follows.
  const send = (message: object): void => void child.send(message, () => undefined);
  const kill = (): void => void child.kill("SIGKILL");
  let isOutOfMemory = false;
  send(job);
  return {
    send,
    listen(listener) {
      child.on("message", (message: FromHost | OutOfMemory) => {
        if (message.kind !== "out-of-memory") return listener(message);
        isOutOfMemory = true;
        kill();
      });
    },
    onEnd(listener) {
      child.on("exit", () => listener(isOutOfMemory ? "memory" : "gone"));
      child.on("error", () => listener("gone"));
    },
    kill,
  };
}
