/** What would happen, in a sentence, and whatever helps to judge it. */
export interface Preview {
  message: string;
  [fact: string]: unknown;
}

/** Thrown where a deed was only tried: it can be done, and this is what it would be. */
export class Rehearsal extends Error {
  readonly summary: string;
  readonly preview: Preview | undefined;
  /** Of every row that would change, as it is and as it would be. */
  readonly token: string | undefined;

  constructor(summary: string, seen: { preview?: Preview | undefined; token?: string } = {}) {
    super("This was only tried.");
    this.summary = summary;
    this.preview = seen.preview;
    this.token = seen.token;
  }
}
