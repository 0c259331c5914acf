import { existsSync } from "node:fs";
import { type Database, openDatabase } from "../../kernel/database.ts";
import { openDocuments, type Root } from "../../kernel/documents.ts";
import { ownedTables } from "../../kernel/owned-tables.ts";
import type { AnyShelf } from "../../kernel/shelf.ts";
import { refusal } from "../../kernel/tables.ts";
import { openWalk } from "../../kernel/walk.ts";
import { counted } from "../../text/counted.ts";
import { visible } from "../../text/visible.ts";
import type { Check } from "./doctor-check.ts";

/** Holds the store against this version of the program and against the folders it was filled from. */
export function checkKept(
  path: string,
  { shelves, roots, program }: { shelves: readonly AnyShelf[]; roots: Root[]; program: string },
): Check[] {
  if (!existsSync(path)) return [];
  let db: Database | undefined;
  try {
    const store = openDatabase(path, { readOnly: true });
    db = store;
    const refused = refusal(store, ownedTables(shelves));
    if (refused) {
      const remedy = refused.hints.join(" ");
      return [{ name: "store", state: "fail", says: refused.message, remedy }];
    }
    const known = new Set(openDocuments(store).paths());
    return roots.flatMap((root) => checkTaken(root, known, program));
  } catch {
    // A store that cannot be read has a line of its own.
    return [];
  } finally {
    db?.close();
  }
}

/** How many files are named; the remedy tells of all. */
const mostNamed = 3;

function checkTaken(root: Root, known: ReadonlySet<string>, program: string): Check[] {
  if (!existsSync(root.path)) return [];
  const files = [...openWalk(root).below("")].flat().map(({ path }) => path);
  const left = files.filter((path) => !known.has(`${root.name}/${path}`));
  if (left.length === 0) return [];
  const named = left.slice(0, mostNamed).map(visible).join(", ");
  const more = left.length > mostNamed ? ", …" : ".";
  const are = left.length === 1 ? "is" : "are";
  return [
    {
      name: "collection",
      state: "warn",
      says: `${root.name}: ${counted(left.length, "file")} of ${files.length} ${are} not in the index: ${named}${more}`,
      remedy: `Run '${program} update': it takes in what it can and tells why it skips the others.`,
    },
  ];
}
