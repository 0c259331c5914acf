import { authoredTables, type Tables } from "../storage/migrations.ts";

export const proposalTables = (): Tables =>
  authoredTables(
    [
      `CREATE TABLE proposals (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       at TEXT NOT NULL,
       actor TEXT NOT NULL,
       call TEXT NOT NULL,
       shelf TEXT NOT NULL,
       operation TEXT NOT NULL,
       input TEXT NOT NULL,
       summary TEXT NOT NULL,
       preview TEXT,
       rationale TEXT,
       status TEXT NOT NULL DEFAULT 'pending',
       decided_at TEXT,
       decided_by TEXT,
       reason TEXT,
       edited TEXT,
       result TEXT
     );
     CREATE INDEX proposals_by_status ON proposals (status, id);`,
      "ALTER TABLE proposals ADD COLUMN confidence INTEGER;",
      "ALTER TABLE proposals ADD COLUMN change INTEGER;",
      "ALTER TABLE proposals ADD COLUMN discreet INTEGER;",
      `ALTER TABLE proposals ADD COLUMN project TEXT;
       ALTER TABLE proposals ADD COLUMN project_name TEXT;
       ALTER TABLE proposals ADD COLUMN undone_by INTEGER;`,
    ],
    ["actor", "input", "decided_by", "edited", "result"].map((name) => `proposals.${name}`),
    ["proposals"],
  );
