import { numberFrom, type Page, page } from "../../kernel/bounded.ts";
import type { Call } from "../../kernel/call.ts";
import type { Database } from "../../kernel/database.ts";
import { agentOf } from "./coder.ts";
import { countReads, insertRead, type Passage, type Read, readsBelow } from "./storage.ts";

/** What text of which source an agent has read, by which call. */
export interface ReadLog {
  note(call: Call, operation: string, project: string, passages: readonly Passage[]): void;
  /** The newest first. */
  list(options: { limit: number; cursor?: string | undefined }): Page<Read>;
}

export function openReadLog(db: Database): ReadLog {
  return {
    note(call, operation, project, passages) {
      if (passages.length === 0) return;
      const about = { at: new Date().toISOString(), agent: agentOf(call), call: call.id };
      db.transaction(() => {
        for (const passage of passages)
          insertRead(db, { ...about, operation, project, ...passage });
      });
    },
    list({ limit, cursor }) {
      const below = cursor === undefined ? Number.MAX_SAFE_INTEGER : numberFrom(cursor);
      const items = readsBelow(db, { below, limit });
      return page(items, {
        total: countReads(db, Number.MAX_SAFE_INTEGER),
        remaining: countReads(db, items.at(-1)?.id ?? 0),
        keyOf: ({ id }) => String(id),
      });
    },
  };
}

/**
 * The passages in an answer: whatever has a source, two positions and words, however deep it lies.
 * So an operation that gives out text is in the log without a line of its own for it.
 */
export function passagesIn(answer: unknown): Passage[] {
  if (Array.isArray(answer)) return answer.flatMap(passagesIn);
  if (typeof answer !== "object" || answer === null) return [];
  const own = passageOf(answer as Record<string, unknown>);
  return [...(own ? [own] : []), ...Object.values(answer).flatMap(passagesIn)];
}

function passageOf(given: Record<string, unknown>): Passage | undefined {
  const words = given.content ?? given.selected_text ?? given.text ?? given.quote;
  const start = given.start_pos ?? given.start_position;
  const end = given.end_pos ?? given.end_position;
  const { source_id, source_name } = given;
  if (typeof words !== "string" || words === "" || typeof source_id !== "number") return undefined;
  if (typeof start !== "number" || typeof end !== "number") return undefined;
  const name = typeof source_name === "string" ? source_name : null;
  return { source_id, source_name: name, start_pos: start, end_pos: end };
}
