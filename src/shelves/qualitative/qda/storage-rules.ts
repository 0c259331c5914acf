import type { SchemaRules } from "../../../kernel/foreign/schema-checks.ts";
import { openDatabase, type RawDatabase } from "../../../kernel/storage/database.ts";
import { ownMigrations, ownVersionTable, qualcoderViews } from "./tables.ts";

/** The views, and Lectern's tables, that a project database may contain besides plain tables. */
export function projectSchemaRules(): SchemaRules {
  cachedRules ??= {
    views: qualcoderViews,
    own: { prefix: "lectern_", definitions: ownDefinitions(), isNewer },
  };
  return cachedRules;
}

/** Cached: they are constant and take some milliseconds to compute. */
let cachedRules: SchemaRules | undefined;

/** The SQL of Lectern's tables after each migration, as SQLite stores it. */
function ownDefinitions(): readonly string[] {
  const db = openDatabase(":memory:");
  try {
    const definitions = new Set<string>();
    for (const step of [ownVersionTable, ...ownMigrations]) {
      db.exec(step);
      const rows = db.all<{ sql: string }>(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'",
      );
      for (const { sql } of rows) definitions.add(sql);
    }
    return [...definitions];
  } finally {
    db.close();
  }
}

function isNewer(db: RawDatabase): boolean {
  const has = db.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'lectern_schema'").get();
  if (!has) return false;
  const row = db.prepare("SELECT max(steps) AS steps FROM main.lectern_schema").get() as {
    steps: unknown;
  };
  return Number(row.steps) > ownMigrations.length;
}
