/** The beginning of a text, so many letters at most, with no half of one at its end. */
export const cleanStart = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
