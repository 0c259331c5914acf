import type { Subject } from "./subject.ts";
import type { ShownSubject } from "./subject-shown.ts";

/** What would happen, in a sentence, and whatever helps to judge it. */
export interface Preview {
  message: string;
  [fact: string]: unknown;
}

/** What a deed that was tried has shown of itself. */
interface Seen {
  preview?: Preview | undefined;
  /** Of every row that would change, as it is and as it would be. */
  token?: string;
  /** What it is about, to be known again, and in words. */
  subject?: Subject;
  shown?: ShownSubject;
  /** How much coded work it would change, in a sentence. */
  affected?: string | undefined;
  /** Whether it would change something private, of which no agent may hear. */
  isPrivate?: boolean;
}

/** Thrown where a deed was only tried: it can be done, and this is what it would be. */
export class Rehearsal extends Error {
  readonly summary: string;
  readonly seen: Seen;

  constructor(summary: string, seen: Seen = {}) {
    super("This was only tried.");
    this.summary = summary;
    this.seen = seen;
  }
}
