/** Whether a UTF-16 unit is the first half of a character beyond U+FFFF. */
export const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;

/** Whether a UTF-16 unit is the second half of a character beyond U+FFFF. */
export const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** Whether cutting the text at an offset would separate the halves of a character. */
export const splitsSurrogatePair = (text: string, offset: number): boolean =>
  offset > 0 &&
  isHighSurrogate(text.charCodeAt(offset - 1)) &&
  isLowSurrogate(text.charCodeAt(offset));

/** Removes an incomplete surrogate pair at either end of a cut text. */
export const trimSurrogateHalves = (text: string): string =>
  text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
