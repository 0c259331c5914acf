import type { OwnedTables } from "../storage/migrations.ts";
import type { Store } from "../storage/store.ts";
import type { PostgresHome } from "./home-address.ts";
import { type HomeSnapshot, openHomeSnapshot } from "./home-snapshot.ts";
import { createHomeTables } from "./home-tables.ts";
import { openPostgres, type PostgresDatabase } from "./postgres-client.ts";
import { openPostgresStore } from "./postgres-store.ts";

/** A connected home. */
export interface OpenedPostgresHome {
  readonly database: PostgresDatabase;
  readonly snapshot: HomeSnapshot;
  /** The channel that is notified of each commit. */
  readonly channel: string;
  /** The name of the lock of the process that watches the folders. */
  readonly lease: string;
  openStore(shownRoots: (() => readonly string[]) | undefined): Store;
  close(): Promise<void>;
}

export async function openPostgresHome(
  address: PostgresHome,
  tables: readonly OwnedTables[],
): Promise<OpenedPostgresHome> {
  const database = openPostgres(address);
  const channel = `lectern ${address.schema}`;
  try {
    await createHomeTables(database.primary, address, tables);
    const snapshot = await openHomeSnapshot(database.primary);
    return {
      database,
      snapshot,
      channel,
      lease: `lectern lease of ${address.schema}`,
      openStore: (shownRoots) =>
        openPostgresStore({
          client: database.primary,
          lock: `lectern writers of ${address.schema}`,
          channel,
          shownRoots,
        }),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
