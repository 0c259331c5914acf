import { pathMeant, readDestination } from "../../src/text/link-destination.ts";
import type { Address } from "../address.ts";
import { outside } from "../markdown/outside.ts";

/**
 * Where a link of a document leads: to another document of its collection, to a heading, or out of
 * the library. Undefined for what cannot be opened here.
 */
export function destinationIn(
  file: string,
  written: string,
  here: Address,
): Address | string | undefined {
  const read = readDestination(written);
  if (read.kind !== "local") return outside(written);
  const anchor = read.fragment ?? "";
  const line = /^L(\d{1,9})/.exec(anchor)?.[1];
  const place = line ? { line: Number(line), anchor: "" } : { line: 1, anchor };
  if (read.path === "") return anchor ? { ...here, file, ...place } : undefined;
  const slash = file.indexOf("/");
  const path = pathMeant(read, file.slice(slash + 1));
  if (!path) return undefined;
  const target = `${file.slice(0, slash)}/${path}`;
  return { ...here, file: target, ...place };
}
