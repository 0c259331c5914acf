import { changeLogTables, undoIndex } from "./change-log.ts";
import { convertedTables } from "./converted.ts";
import { documentTables } from "./documents.ts";
import { intentTables } from "./intents.ts";
import { noticeTables } from "./notices.ts";
import { proposalTables } from "./proposals.ts";
import type { AnyShelf } from "./shelf.ts";
import { authored, derived, type Owned } from "./tables.ts";
import { vectorTables } from "./vectors/store.ts";
import { viewerTables } from "./viewers.ts";

/** All tables of a store: the kernel's own, then those of the shelves. */
export const ownedTables = (shelves: readonly AnyShelf[]): Owned[] => [
  { owner: "documents", tables: documentTables },
  { owner: "notices", tables: noticeTables },
  { owner: "viewers", tables: viewerTables },
  { owner: "stale", tables: derived(1, "CREATE TABLE stale_shelves (shelf TEXT PRIMARY KEY);") },
  { owner: "converted", tables: convertedTables },
  { owner: "vectors", tables: authored([vectorTables("kept")]) },
  { owner: "proposals", tables: proposalTables() },
  { owner: "changes", tables: changeLogTables() },
  { owner: "undoing", tables: undoIndex },
  { owner: "intents", tables: intentTables },
  ...shelves.map(({ name, tables }) => ({ owner: name, tables })),
];
