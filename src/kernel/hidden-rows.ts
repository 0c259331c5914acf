import { dirname, join } from "node:path";
import type { Boundary } from "./boundary.ts";
import type { DocumentRows, Row } from "./document-rows.ts";
import type { Root } from "./documents.ts";
import { hashOf } from "./hashing.ts";
import { pathsUnder } from "./paths-under.ts";

interface Sought {
  rows: DocumentRows;
  rootNamed(name: string): Root | undefined;
  boundary: Boundary;
}

/** So many documents of one content are looked at. */
const mostCopies = 100;

/**
 * The documents of files that have become private. Hard links of a file have one content, by which
 * documents are found whose paths nobody has named.
 */
export function hiddenRows(
  places: readonly string[],
  { rows, rootNamed, boundary }: Sought,
): Row[] {
  const roots = rows.roots().flatMap((name) => rootNamed(name) ?? []);
  const named = roots.flatMap((root) =>
    pathsUnder(root, places).flatMap((path) => rows.within(root.name, path)),
  );
  const alike = places
    .flatMap((place) => contentHash(boundary, place) ?? [])
    .flatMap((hash) => rows.withHash(hash, mostCopies));
  const isHidden = ({ root, path }: Row): boolean => {
    const folder = rootNamed(root)?.path;
    return folder !== undefined && boundary.hides(join(folder, path));
  };
  return [...new Map([...named, ...alike].filter(isHidden).map((row) => [row.id, row])).values()];
}

function contentHash(boundary: Boundary, place: string): string | undefined {
  try {
    return hashOf(boundary.unrestricted.readFile(place, dirname(place)));
  } catch {
    return undefined;
  }
}
