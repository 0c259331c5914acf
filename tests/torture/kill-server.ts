import { once } from "node:events";
import type { Served } from "../journeys/program.ts";
import { descendantsOf, hasEnded, until } from "../programs/process.ts";

/**
 * Kills a server; one that has already ended is ignored. Its child processes notice that it is
 * gone; until they have ended they may still write. It is stopped first, so that it starts no other.
 */
export async function killServer({ child }: Served): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGSTOP");
  const children = descendantsOf(pid);
  child.kill("SIGKILL");
  await ended;
  await until(() => children.every(hasEnded), "the child processes of a killed server to end");
}
