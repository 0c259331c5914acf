import type { Database } from "../storage/database.ts";

/**
 * A number in the store that validates caches: it differs after each change of the data. A cache
 * entry is valid while the stored stamp equals the one that the entry was read with, whichever
 * process changes the data. A rollback restores the former stamp, which invalidates entries that
 * were cached within the transaction.
 */
export interface ChangeStamp {
  read(): number;
  renew(): void;
}

export const changeStampTable = (name: string): string => `
  CREATE TABLE ${name} (stamp INTEGER NOT NULL);
  INSERT INTO ${name} VALUES (0);`;

export const openChangeStamp = (db: Database, name: string): ChangeStamp => ({
  read: () => db.get<{ stamp: number }>(`SELECT stamp FROM ${name}`)?.stamp ?? 0,
  renew() {
    // Random, because a counter could reach the same value again after a rollback. The shift leaves
    // 53 bits, which a JavaScript number holds exactly.
    db.run(`UPDATE ${name} SET stamp = random() >> 11`);
  },
});
