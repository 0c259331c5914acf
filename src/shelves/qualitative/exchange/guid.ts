import { sha256Hex } from "../../../kernel/files/hashes.ts";

const guidPattern = /^\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?$/i;

/** Normalizes a GUID, without braces; undefined if it is invalid. */
export const readGuid = (text: string | undefined): string | undefined =>
  guidPattern.exec(text ?? "")?.[1];

/**
 * A deterministic GUID (UUID version 8) derived from the content, so that an item has the same GUID
 * in every export without a write to the project.
 */
export function derivedGuid(...parts: readonly (string | number | null)[]): string {
  const hex = sha256Hex(JSON.stringify(parts));
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join("-");
}
