import { readDestination, wayMeant } from "../../src/text/link-destination.ts";
import type { Address } from "../address.ts";
import { library } from "../collections/library.ts";
import { outside } from "../markdown/outside.ts";

/**
 * Where a link of a document leads: to another document, to a heading, or out of the library.
 * Undefined for what cannot be opened here.
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
  const collection = file.slice(0, slash);
  const way = wayMeant(read, file.slice(slash + 1));
  const target = way.startsWith("../")
    ? fileBeyond(collection, way)
    : way && `${collection}/${way}`;
  return target ? { ...here, file: target, ...place } : undefined;
}

/** What a way out of a collection leads to in another one, by where their folders lie. */
function fileBeyond(collection: string, way: string): string | undefined {
  const folders = (library.answer.value?.collections ?? [])
    .map(({ name, path }) => ({ name, folder: path.replaceAll("\\", "/") }))
    .sort((a, b) => b.folder.length - a.folder.length);
  const start = folders.find(({ name }) => name === collection)?.folder ?? "";
  const place = wayMeant({ path: way, isRootRelative: false }, `${start}/.`);
  const there = folders.find(({ folder }) => place.startsWith(`${folder}/`));
  return there && `${there.name}${place.slice(there.folder.length)}`;
}
