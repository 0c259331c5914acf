import { derivedTables } from "../storage/migrations.ts";
import { all, get, insertAll, run, type Steps } from "../storage/steps.ts";

/** A notification for clients: a topic and, if known, its subject. */
export interface Notice {
  topic: Topic;
  about?: string | undefined;
  /** The real path of the project in which an agent acted. */
  project?: string | undefined;
}

/** What the clients of a process may be told about. */
interface NoticeScope {
  /** Whether the process shows this root. */
  showsRoot(name: string): boolean;
  /** Whether it shows what agents do in this project or, without one, in the home. */
  showsProject(path: string | undefined): boolean;
}

/**
 * The topics by name. A shelf adds its own by declaration merging.
 *
 * @public
 */
export interface Topics {
  "documents.changed": true;
  "collections.changed": true;
  "proposals.changed": true;
  "agent.acted": true;
  "activity.changed": true;
  "system.changed": true;
  "tools.changed": true;
  "prompts.changed": true;
  "resources.changed": true;
  "resource.updated": true;
}

export type Topic = keyof Topics;

/**
 * Notices are rows, so each process can deliver those of all processes. A row is written in the
 * transaction of the change that it announces, so it exists exactly if the change does.
 */
export interface Notices {
  /**
   * Writes notices inside a transaction; call `deliver` after the commit. Notices about the
   * documents of `root` are delivered only by processes that show that root, and those about an
   * agent only by processes that show its project.
   */
  record(notices: readonly Notice[], root?: string): Steps<void>;
  /** Delivers the rows that this process has not yet seen to its listeners. */
  deliver(): Steps<void>;
  subscribe(listener: (notice: Notice) => void): () => void;
}

export const noticeTables = derivedTables(
  2,
  `CREATE TABLE notices (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     topic TEXT NOT NULL,
     about TEXT,
     root TEXT,
     project TEXT
   );`,
);

/** Enough for processes that poll several times a second. */
const maxStoredNotices = 1_000;

const showsEverything: NoticeScope = { showsRoot: () => true, showsProject: () => true };

interface NoticeRow {
  seq: number;
  topic: Topic;
  about: string | null;
  root: string | null;
  project: string | null;
}

/** Later rows are delivered, but not those that exist now. */
export function* openNotices(scope = showsEverything): Steps<Notices> {
  const listeners = new Set<(notice: Notice) => void>();
  let lastDelivered = (yield* get<{ seq: number | null }>(selectNewest))?.seq ?? 0;
  return {
    *record(notices, root) {
      if (notices.length === 0) return;
      yield* insertAll(
        "INSERT INTO notices (topic, about, root, project)",
        notices.map(({ topic, about, project }) => [
          topic,
          about ?? null,
          root ?? null,
          project ?? null,
        ]),
      );
      yield* run(`DELETE FROM notices WHERE seq <= (${selectNewest}) - ${maxStoredNotices}`);
    },
    *deliver() {
      const rows = yield* all<NoticeRow>(
        "SELECT seq, topic, about, root, project FROM notices WHERE seq > ? ORDER BY seq",
        lastDelivered,
      );
      for (const { seq, topic, about, root, project } of rows) {
        // A concurrent call may have delivered it while this one was reading.
        if (seq <= lastDelivered) continue;
        lastDelivered = seq;
        if (root !== null && !scope.showsRoot(root)) continue;
        if (topic === "agent.acted" && !scope.showsProject(project ?? undefined)) continue;
        for (const listener of listeners) listener({ topic, about: about ?? undefined });
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const selectNewest = "SELECT max(seq) AS seq FROM notices";
