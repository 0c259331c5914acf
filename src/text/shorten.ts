/** What somebody gave, inside a message: enough to know it by, and never all of a long one. */
export const shorten = (given: string): string =>
  given.length > longest ? `${given.slice(0, longest)}…` : given;

const longest = 200;
