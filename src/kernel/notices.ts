import type { Database } from "./database.ts";
import { derived } from "./tables.ts";

/** What surfaces tell their clients: a topic, and what it is about where that can be said. */
export interface Notice {
  topic: Topic;
  about?: string | undefined;
}

export type Topic =
  | "documents.changed"
  | "collections.changed"
  | "proposals.changed"
  | "agent.acted"
  | "activity.changed"
  | "source.changed"
  | "segments.changed"
  | "segment.navigate"
  | "house.changed"
  | "tools.changed"
  | "prompts.changed"
  | "resources.changed"
  | "resource.updated";

/**
 * Notices are rows, so one that another process writes reaches our clients as ours do. A row is
 * written in the transaction of what it tells of: it exists exactly when the change does.
 */
export interface Notices {
  /**
   * Inside a transaction, `record`; `deliver` once it has committed. What is said of one root's
   * documents is told only where that root is shown.
   */
  record(notices: readonly Notice[], root?: string): void;
  /** Hands every row not yet seen by this process to its listeners. */
  deliver(): void;
  subscribe(listener: (notice: Notice) => void): () => void;
}

export const noticeTables = derived(
  1,
  `CREATE TABLE notices (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     topic TEXT NOT NULL,
     about TEXT,
     root TEXT
   );`,
);

/** Enough for any process that looks a few times a second. */
const kept = 1_000;

export function openNotices(db: Database, isShown = (_root: string) => true): Notices {
  const listeners = new Set<(notice: Notice) => void>();
  const newest = () =>
    db.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM notices")?.seq ?? 0;
  let seen = newest();
  return {
    record(notices, root) {
      for (const { topic, about } of notices) {
        db.run(
          "INSERT INTO notices (topic, about, root) VALUES (?, ?, ?)",
          topic,
          about ?? null,
          root ?? null,
        );
      }
      db.run("DELETE FROM notices WHERE seq <= ?", newest() - kept);
    },
    deliver() {
      const rows = db.all<{ seq: number; topic: Topic; about: string | null; root: string | null }>(
        "SELECT seq, topic, about, root FROM notices WHERE seq > ? ORDER BY seq",
        seen,
      );
      for (const { seq, topic, about, root } of rows) {
        seen = seq;
        if (root !== null && !isShown(root)) continue;
        for (const listener of listeners) listener({ topic, about: about ?? undefined });
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
