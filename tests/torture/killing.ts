import { once } from "node:events";
import type { Served } from "../journeys/program.ts";

/** Ends a server as nothing else does; one that has gone already is left in peace. */
export async function kill({ child }: Served): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
