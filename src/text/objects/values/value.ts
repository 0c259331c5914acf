/** The value of a field: JSON that preserves key order and number notation. */
export type Value = null | boolean | string | Numeral | Value[] | Fields;

/** A `Map`, because JavaScript objects move keys that look like numbers to the front. */
export type Fields = Map<string, Value>;

/** A number with its notation, so that `1.0` stays `1.0` and long numbers lose no digits. */
export interface Numeral {
  /** Always a valid JSON number. */
  readonly notation: string;
}

export const numeral = (written: string | number): Numeral => ({ notation: String(written) });

export const isNumeral = (value: Value): value is Numeral =>
  typeof value === "object" && value !== null && !(value instanceof Map) && !Array.isArray(value);

export const isFields = (value: Value | undefined): value is Fields => value instanceof Map;

/** The value if it is a string. */
export const textValue = (value: Value | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The value if it is a number. */
export const numberValue = (value: Value | undefined): number | undefined =>
  value !== undefined && isNumeral(value) ? Number(value.notation) : undefined;

/** All strings in a value, at any depth. */
export function* allTextsIn(value: Value): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value) yield* allTextsIn(item);
  else if (isFields(value)) for (const item of value.values()) yield* allTextsIn(item);
}

export const createFields = (entries: Iterable<readonly [string, Value]>): Fields =>
  new Map(entries);

/**
 * Deep equality, including the order of items and keys. Numbers compare by value, so `1.0` equals
 * `1`, unless both have too many digits for that.
 */
export function valuesEqual(one: Value | undefined, other: Value | undefined): boolean {
  const pairs: [Value | undefined, Value | undefined][] = [[one, other]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (left === null || right === null || left === undefined || right === undefined) return false;
    if (typeof left !== "object" || typeof right !== "object") return false;
    if (Array.isArray(left) || Array.isArray(right)) {
      if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length)
        return false;
      for (const [index, item] of left.entries()) pairs.push([item, right[index]]);
    } else if (isNumeral(left) || isNumeral(right)) {
      if (!isNumeral(left) || !isNumeral(right) || !numbersEqual(left, right)) return false;
    } else {
      if (left.size !== right.size) return false;
      const keys = right.keys();
      for (const [key, item] of left) {
        if (keys.next().value !== key) return false;
        pairs.push([item, right.get(key)]);
      }
    }
  }
  return true;
}

function numbersEqual(one: Numeral, other: Numeral): boolean {
  const value = Number(one.notation);
  const isExact = Number.isSafeInteger(value) || one.notation.length < 17;
  return one.notation === other.notation || (isExact && value === Number(other.notation));
}
