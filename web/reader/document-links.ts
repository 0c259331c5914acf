import { parseLinkDestination, resolveLinkPath } from "../../src/text/markdown/link-destination.ts";
import type { Address } from "../app/address.ts";
import { libraryStatus } from "../collections/library-status.ts";
import { externalUrl } from "../markdown/external-url.ts";

/**
 * The target of a link in a document: another document, a heading or an external URL. Undefined if
 * the link cannot be opened here.
 */
export function resolveDocumentLink(
  file: string,
  destination: string,
  here: Address,
): Address | string | undefined {
  const link = parseLinkDestination(destination);
  if (link.kind !== "local") return externalUrl(destination);
  const anchor = link.fragment ?? "";
  const line = /^L(\d{1,9})/.exec(anchor)?.[1];
  const position = line ? { line: Number(line), anchor: "" } : { line: 1, anchor };
  if (link.path === "") return anchor ? { ...here, file, ...position } : undefined;
  const slash = file.indexOf("/");
  const collection = file.slice(0, slash);
  const path = resolveLinkPath(link, file.slice(slash + 1));
  const target = path.startsWith("../")
    ? fileInOtherCollection(collection, path)
    : path && `${collection}/${path}`;
  return target ? { ...here, file: target, ...position } : undefined;
}

/** Resolves a relative path that leaves the collection, if another collection contains its target. */
function fileInOtherCollection(collection: string, relativePath: string): string | undefined {
  const folders = (libraryStatus.answer.value?.collections ?? [])
    .map(({ name, path }) => ({ name, folder: path.replaceAll("\\", "/") }))
    .sort((a, b) => b.folder.length - a.folder.length);
  const start = folders.find(({ name }) => name === collection)?.folder ?? "";
  const path = resolveLinkPath({ path: relativePath, isRootRelative: false }, `${start}/.`);
  const target = folders.find(({ folder }) => path.startsWith(`${folder}/`));
  return target && `${target.name}${path.slice(target.folder.length)}`;
}
