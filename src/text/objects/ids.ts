/** Ids for what has neither an id nor a title to make one of. */
export interface Generator {
  /** Six letters or digits; the same in every file, because each file starts anew. */
  next(): string;
  /** What `next` would give. */
  peek(): string;
}

const seed = 666;
const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
const lettersOfAnId = 6;

/** A linear congruential generator, as the format fixes it: all products stay below 2^53. */
export function generator(): Generator {
  let state = seed;
  const drawn = (from: number): { id: string; state: number } => {
    let id = "";
    let now = from;
    for (let count = 0; count < lettersOfAnId; count++) {
      now = (now * 1664525 + 1013904223) % 2 ** 32;
      id += alphabet[Math.floor((now / 2 ** 32) * alphabet.length)];
    }
    return { id, state: now };
  };
  return {
    next() {
      const { id, state: after } = drawn(state);
      state = after;
      return id;
    },
    peek: () => drawn(state).id,
  };
}

/** `Élan – vital!` becomes `élan_vital`: letters, digits and `_`; empty when there are none. */
export function slug(label: string): string {
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

/** The id in a text that is one reference and nothing else. */
export const referencedId = (text: string): string | undefined =>
  text.startsWith("[[#") && text.endsWith("]]") && !text.includes("[[", 3)
    ? text.slice(3, -2)
    : undefined;
