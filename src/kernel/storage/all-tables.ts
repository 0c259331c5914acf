import { agentEntryTables } from "../approval/agent-entries.ts";
import { changeLogTables, undoIndexTables } from "../approval/change-tables.ts";
import { proposalTables } from "../approval/proposal-tables.ts";
import { conversionTables } from "../documents/conversion-cache.ts";
import { documentTables } from "../documents/documents.ts";
import { intentTables } from "../files/edit-intents.ts";
import { checksummedRowTables } from "../integrity/checksummed-rows.ts";
import { verificationTables } from "../integrity/verification.ts";
import { noticeTables } from "../notices/notices.ts";
import { viewerTables } from "../notices/viewers.ts";
import { privateFileTables } from "../paths/private-files.ts";
import type { AnyShelf } from "../shelf.ts";
import { vectorTables } from "../vectors/vector-store.ts";
import { authoredTables, derivedTables, type OwnedTables } from "./migrations.ts";

/** All tables of a store: first those of the kernel, then those of the shelves. */
export const allTables = (shelves: readonly AnyShelf[]): OwnedTables[] => [
  { owner: "documents", tables: documentTables },
  { owner: "notices", tables: noticeTables },
  { owner: "viewers", tables: viewerTables },
  {
    owner: "stale",
    tables: derivedTables(1, "CREATE TABLE stale_shelves (shelf TEXT PRIMARY KEY);"),
  },
  { owner: "verification", tables: verificationTables },
  { owner: "converted", tables: conversionTables },
  { owner: "vectors", tables: authoredTables([vectorTables("kept")]) },
  { owner: "proposals", tables: proposalTables() },
  { owner: "changes", tables: changeLogTables() },
  { owner: "undoing", tables: undoIndexTables },
  { owner: "seals", tables: checksummedRowTables },
  { owner: "intents", tables: intentTables },
  { owner: "private files", tables: privateFileTables },
  { owner: "agent entries", tables: agentEntryTables },
  ...shelves.map(({ name, tables }) => ({ owner: name, tables })),
];
