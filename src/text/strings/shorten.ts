/** Shortens a user's input for quoting in a message. */
export const shorten = (input: string): string =>
  input.length > maxLength ? `${input.slice(0, maxLength)}…` : input;

const maxLength = 200;
