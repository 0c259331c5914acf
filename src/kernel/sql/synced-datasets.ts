import type { SqlDataset, SqlRow } from "./dataset.ts";
import type { LoadJob } from "./job.ts";

/** Tracks which data sets a child has loaded, so that only changes are sent to it. */
export interface SyncedDatasets {
  /** The job that updates the child's data set; undefined if it is up to date. */
  loadJobFor(set: SqlDataset): LoadJob | undefined;
  /** To be called when the child failed to apply a job and dropped the data set. */
  forget(name: string): void;
}

/** The child's data sets form an LRU cache of this size. */
const maxDatasets = 8;

export function createSyncedDatasets(): SyncedDatasets {
  /** In LRU order: least recently used first. */
  const sent = new Map<string, { shape: string; versions: Map<string, string | number> }>();
  return {
    loadJobFor(set) {
      const { tables, indexes, files = [] } = set;
      const shape = JSON.stringify([tables, indexes, files]);
      const known = sent.get(set.name);
      const isNew = known?.shape !== shape;
      const versions = isNew ? new Map<string, string | number>() : known.versions;
      const removed = [...versions.keys()].filter((key) => !set.parts.has(key));
      const changed = [...set.parts].filter(([key, part]) => versions.get(key) !== part.version);
      // `rows()` may throw: call it before recording anything as sent.
      const added = changed.map(([key, part]) => ({ key, rows: rowsAsJson(part.rows()) }));
      for (const key of removed) versions.delete(key);
      for (const [key, part] of changed) versions.set(key, part.version);
      sent.delete(set.name);
      sent.set(set.name, { shape, versions });
      if (!isNew && removed.length + changed.length === 0) return undefined;
      return {
        type: "load",
        dataset: set.name,
        shape: isNew ? { tables, indexes, files } : undefined,
        removed,
        added,
        evicted: evictOldest(),
      };
    },
    forget: (name) => sent.delete(name),
  };

  function evictOldest(): string[] {
    const names = [...sent.keys()].slice(0, Math.max(0, sent.size - maxDatasets));
    for (const name of names) sent.delete(name);
    return names;
  }
}

const rowsAsJson = (tables: Record<string, SqlRow[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, JSON.stringify(rows)]));
