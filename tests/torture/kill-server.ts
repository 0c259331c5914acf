import { once } from "node:events";
import type { Served } from "../journeys/program.ts";

/** Kills a server; one that has already ended is ignored. */
export async function killServer({ child }: Served): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
