import { isHighSurrogate } from "./surrogates.ts";

/** At most the first `length` UTF-16 units of a text, without cutting a character in half. */
export const truncateText = (text: string, length: number): string => {
  const start = text.slice(0, length);
  return isHighSurrogate(start.charCodeAt(start.length - 1)) ? start.slice(0, -1) : start;
};
