import { once } from "node:events";

/** Resolves at SIGINT or SIGTERM. */
export async function waitForTermination(): Promise<void> {
  const wait = new AbortController();
  const { signal } = wait;
  await Promise.race([once(process, "SIGINT", { signal }), once(process, "SIGTERM", { signal })]);
  wait.abort();
}
