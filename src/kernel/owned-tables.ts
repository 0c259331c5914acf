import { changeLogTables, undoIndex } from "./change-tables.ts";
import { convertedTables } from "./converted.ts";
import { documentTables } from "./documents.ts";
import { intentTables } from "./intents.ts";
import { noticeTables } from "./notices.ts";
import { privateFileTables } from "./private-files.ts";
import { proposalTables } from "./proposal-tables.ts";
import { sealTables } from "./sealed-rows.ts";
import type { AnyShelf } from "./shelf.ts";
import { authored, derived, type Owned } from "./tables.ts";
import { vectorTables } from "./vectors/store.ts";
import { verificationTables } from "./verification.ts";
import { viewerTables } from "./viewers.ts";

/** All tables of a store: the kernel's own, then those of the shelves. */
export const ownedTables = (shelves: readonly AnyShelf[]): Owned[] => [
  { owner: "documents", tables: documentTables },
  { owner: "notices", tables: noticeTables },
  { owner: "viewers", tables: viewerTables },
  { owner: "stale", tables: derived(1, "CREATE TABLE stale_shelves (shelf TEXT PRIMARY KEY);") },
  { owner: "verification", tables: verificationTables },
  { owner: "converted", tables: convertedTables },
  { owner: "vectors", tables: authored([vectorTables("kept")]) },
  { owner: "proposals", tables: proposalTables() },
  { owner: "changes", tables: changeLogTables() },
  { owner: "undoing", tables: undoIndex },
  { owner: "seals", tables: sealTables },
  { owner: "intents", tables: intentTables },
  { owner: "private files", tables: privateFileTables },
  ...shelves.map(({ name, tables }) => ({ owner: name, tables })),
];
