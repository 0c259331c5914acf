import type { HttpClient } from "../http-client.ts";

/** Work that is interrupted by kills, repeatedly on one home. */
export interface KillWorkload {
  /** Once, on a fresh home. */
  prepare(client: HttpClient): Promise<void>;
  /** Performs one step and records it when acknowledged. Throws when the server is killed. */
  step(client: HttpClient): Promise<void>;
  /** Violations directly after the kill, before recovery. */
  inspect?(): string[];
  /** Violations after the kill and the next start. */
  check(client: HttpClient): Promise<string[]>;
  /** Violations after the last server has stopped. */
  finish?(): Promise<string[]>;
  close?(): Promise<void>;
}

export type CreateKillWorkload = (home: string, random: () => number) => KillWorkload;
