/** What a field of an object holds: JSON, with the order of keys and the spelling of numbers kept. */
export type Value = null | boolean | string | Numeral | Value[] | Fields;

/** A `Map`, because an object of JavaScript would put keys that look like numbers first. */
export type Fields = Map<string, Value>;

/** A number as it was written, so that `1.0` stays `1.0` and no digit of a long one is lost. */
export interface Numeral {
  /** Always a number of JSON. */
  readonly spelled: string;
}

export const numeral = (written: string | number): Numeral => ({ spelled: String(written) });

export const isNumeral = (value: Value): value is Numeral =>
  typeof value === "object" && value !== null && !(value instanceof Map) && !Array.isArray(value);

export const isFields = (value: Value | undefined): value is Fields => value instanceof Map;

/** The text of a value that is one, and otherwise nothing. */
export const textOf = (value: Value | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The number of a value that is one, and otherwise nothing. */
export const numberOf = (value: Value | undefined): number | undefined =>
  value !== undefined && isNumeral(value) ? Number(value.spelled) : undefined;

/** Every text in a value, however deep it lies. */
export function* textsIn(value: Value): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item);
  else if (isFields(value)) for (const item of value.values()) yield* textsIn(item);
}

export const fieldsOf = (entries: Iterable<readonly [string, Value]>): Fields => new Map(entries);

/**
 * Equal in values, in the order of items and in the order of keys. Numbers are compared by value,
 * so that `1.0` equals `1`, unless both are too long for that.
 */
export function sameValue(one: Value | undefined, other: Value | undefined): boolean {
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
      if (!isNumeral(left) || !isNumeral(right) || !sameNumber(left, right)) return false;
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

function sameNumber(one: Numeral, other: Numeral): boolean {
  const value = Number(one.spelled);
  const isExact = Number.isSafeInteger(value) || one.spelled.length < 17;
  return one.spelled === other.spelled || (isExact && value === Number(other.spelled));
}
