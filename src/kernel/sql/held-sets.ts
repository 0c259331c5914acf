import type { LoadJob } from "./job.ts";
import type { SqlRow, SqlSet } from "./set.ts";

/** What a child holds, so that it is sent only what it lacks. */
export interface HeldSets {
  /** What brings the child's set to the present state, if anything is missing. */
  update(set: SqlSet): LoadJob | undefined;
  /** The child could not take an update, and has dropped the set. */
  drop(name: string): void;
}

/** A child's memory is not for every set that was ever asked for. */
const mostSets = 8;

export function makeHeldSets(): HeldSets {
  /** The one that was asked for last stands last. */
  const held = new Map<string, { shape: string; versions: Map<string, string | number> }>();
  return {
    update(set) {
      const { tables, indexes, files = [] } = set;
      const shape = JSON.stringify([tables, indexes, files]);
      const known = held.get(set.name);
      const isNew = known?.shape !== shape;
      const versions = isNew ? new Map<string, string | number>() : known.versions;
      const removed = [...versions.keys()].filter((key) => !set.parts.has(key));
      const changed = [...set.parts].filter(([key, part]) => versions.get(key) !== part.version);
      // A part that cannot give its rows fails before anything is taken for sent.
      const added = changed.map(([key, part]) => ({ key, rows: asJson(part.rows()) }));
      for (const key of removed) versions.delete(key);
      for (const [key, part] of changed) versions.set(key, part.version);
      held.delete(set.name);
      held.set(set.name, { shape, versions });
      if (!isNew && removed.length + changed.length === 0) return undefined;
      return {
        deed: "load",
        set: set.name,
        shape: isNew ? { tables, indexes, files } : undefined,
        removed,
        added,
        forgotten: oldest(),
      };
    },
    drop: (name) => held.delete(name),
  };

  function oldest(): string[] {
    const names = [...held.keys()].slice(0, Math.max(0, held.size - mostSets));
    for (const name of names) held.delete(name);
    return names;
  }
}

const asJson = (tables: Record<string, SqlRow[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, JSON.stringify(rows)]));
