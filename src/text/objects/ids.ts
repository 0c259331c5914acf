/** Generates ids for objects that have neither an id nor a title. */
export interface IdGenerator {
  /** Six letters or digits. Deterministic: the sequence restarts with every file. */
  next(): string;
  /** The id that `next` would return. */
  peek(): string;
}

const seed = 666;
const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
const idLength = 6;

/** A linear congruential generator with the constants of the format. Products stay below 2^53. */
export function createIdGenerator(): IdGenerator {
  let state = seed;
  const generate = (from: number): { id: string; state: number } => {
    let id = "";
    let current = from;
    for (let count = 0; count < idLength; count++) {
      current = (current * 1664525 + 1013904223) % 2 ** 32;
      id += alphabet[Math.floor((current / 2 ** 32) * alphabet.length)];
    }
    return { id, state: current };
  };
  return {
    next() {
      const { id, state: after } = generate(state);
      state = after;
      return id;
    },
    peek: () => generate(state).id,
  };
}

/** `Élan – vital!` becomes `élan_vital`: letters, digits and `_`; empty if there are none. */
export function toSlug(label: string): string {
  const words = label
    .replace(/[^\p{L}\p{M}\p{N}_\s-]/gu, "")
    .replace(/[\s-]+/g, "_")
    .toLowerCase();
  let start = 0;
  let end = words.length;
  while (words[start] === "_") start++;
  while (end > start && words[end - 1] === "_") end--;
  return words.slice(start, end);
}

/** `[[#id]]` */
export const referenceTo = (id: string): string => `[[#${id}]]`;

/** The id, if the text is exactly one reference. */
export const referencedId = (text: string): string | undefined =>
  text.startsWith("[[#") && text.endsWith("]]") && !text.includes("[[", 3)
    ? text.slice(3, -2)
    : undefined;
