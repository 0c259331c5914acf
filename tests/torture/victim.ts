import type { Visitor } from "./visitor.ts";

/** Work that is cut off by a kill, again and again on one home. */
export interface Victim {
  /** Once, on a fresh home. */
  prepare(visitor: Visitor): Promise<void>;
  /** One thing after the other; what was acknowledged is remembered. Ends when nobody answers. */
  act(visitor: Visitor): Promise<void>;
  /** What is not as it must be right after the kill, before anybody mends it. */
  look?(): string[];
  /** What is not as it must be after the kill and the next start. */
  check(visitor: Visitor): Promise<string[]>;
  /** What is not as it must be in the end, when the last server has gone. */
  conclude?(): Promise<string[]>;
  close?(): Promise<void>;
}

export type MakeVictim = (home: string, random: () => number) => Victim;
