import type { Database } from "../database.ts";

/**
 * A number in the store that is another after each change of what it stands for. Whoever remembers
 * something keeps the number with it: while the store still has it, nobody has changed anything,
 * neither this process nor another. Where a transaction is rolled back it is the former one again,
 * so what was remembered within is not believed.
 */
export interface Stamp {
  read(): number;
  renew(): void;
}

export const stampTable = (name: string): string => `
  CREATE TABLE ${name} (stamp INTEGER NOT NULL);
  INSERT INTO ${name} VALUES (0);`;

export const openStamp = (db: Database, name: string): Stamp => ({
  read: () => db.get<{ stamp: number }>(`SELECT stamp FROM ${name}`)?.stamp ?? 0,
  renew() {
    // Drawn by lot, because a number that is counted up could come again after a rollback. The
    // shift leaves as many bits as a number of ours can hold.
    db.run(`UPDATE ${name} SET stamp = random() >> 11`);
  },
});
