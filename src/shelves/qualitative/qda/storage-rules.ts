import { openDatabase, type RawDatabase } from "../../../kernel/database.ts";
import type { SchemaRules } from "../../../kernel/foreign/foreign-schema.ts";
import { classicViews, ownSteps, ownVersionTable } from "./tables.ts";

/** What the database of a project may hold beside plain tables. */
export function projectRules(): SchemaRules {
  known ??= {
    views: classicViews,
    own: { prefix: "lectern_", definitions: ownDefinitions(), isNewer },
  };
  return known;
}

/** They never change, and take some milliseconds to find out. */
let known: SchemaRules | undefined;

/** Our own tables as they stand after each step, in SQLite's words. */
function ownDefinitions(): readonly string[] {
  const db = openDatabase(":memory:");
  try {
    const definitions = new Set<string>();
    for (const step of [ownVersionTable, ...ownSteps]) {
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
  return Number(row.steps) > ownSteps.length;
}
