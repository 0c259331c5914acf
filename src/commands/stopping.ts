import { once } from "node:events";

/** Resolves when somebody asks the process to end. */
export async function stopped(): Promise<void> {
  const wait = new AbortController();
  const { signal } = wait;
  await Promise.race([once(process, "SIGINT", { signal }), once(process, "SIGTERM", { signal })]);
  wait.abort();
}
