import { hashOf } from "../../../kernel/hashing.ts";

const form = /^\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?$/i;

/** A GUID as other programs write it, without braces; undefined where it is none. */
export const readGuid = (given: string | undefined): string | undefined =>
  form.exec(given ?? "")?.[1];

/**
 * A GUID that follows from what it stands for, so that a thing has the same one at every export
 * without anything being written to the project. It is of the version for schemes of one's own.
 */
export function derivedGuid(...about: readonly (string | number | null)[]): string {
  const hex = hashOf(JSON.stringify(about));
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join("-");
}
