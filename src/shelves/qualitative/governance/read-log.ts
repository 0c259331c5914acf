import type { Call } from "../../../kernel/call.ts";
import {
  decodeNumericCursor,
  type ListPage,
  toListPage,
} from "../../../kernel/operations/list-page.ts";
import { type Steps, transaction } from "../../../kernel/storage/steps.ts";
import { agentNameOf } from "../project/coder.ts";
import {
  countReadRecords,
  insertReadRecord,
  type ReadPassage,
  type ReadRecord,
  type ReadRecordScope,
  readRecordsBelow,
} from "../storage.ts";

/** Records which passages of which sources agents have read, and by which call. */
export interface ReadLog {
  record(
    call: Call,
    operation: string,
    project: string,
    passages: readonly ReadPassage[],
  ): Steps<void>;
  /** Newest first. */
  list(
    options: ReadRecordScope & { limit: number; cursor?: string | undefined },
  ): Steps<ListPage<ReadRecord>>;
}

export function openReadLog(): ReadLog {
  return {
    *record(call, operation, project, passages) {
      if (passages.length === 0) return;
      const record = { at: new Date().toISOString(), agent: agentNameOf(call), call: call.id };
      yield* transaction(function* () {
        for (const passage of passages)
          yield* insertReadRecord({ ...record, operation, project, ...passage });
      });
    },
    *list({ limit, cursor, ...scope }) {
      const below = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeNumericCursor(cursor);
      const items = yield* readRecordsBelow({ below, limit, ...scope });
      return toListPage(items, {
        total: yield* countReadRecords({ below: Number.MAX_SAFE_INTEGER, ...scope }),
        remaining: yield* countReadRecords({ below: items.at(-1)?.id ?? 0, ...scope }),
        keyOf: ({ id }) => String(id),
      });
    },
  };
}

/**
 * Finds the passages in an output at any depth: every object with a source id, two positions and a
 * text. Operations that return text therefore need no logging code.
 */
export function collectReadPassages(output: unknown): ReadPassage[] {
  if (Array.isArray(output)) return output.flatMap(collectReadPassages);
  if (typeof output !== "object" || output === null) return [];
  const own = readPassageOf(output as Record<string, unknown>);
  return [...(own ? [own] : []), ...Object.values(output).flatMap(collectReadPassages)];
}

function readPassageOf(value: Record<string, unknown>): ReadPassage | undefined {
  const text = value.content ?? value.selected_text ?? value.text ?? value.quote;
  const start = value.start_pos ?? value.start_position;
  const end = value.end_pos ?? value.end_position;
  const { source_id, source_name } = value;
  if (typeof text !== "string" || text === "" || typeof source_id !== "number") return undefined;
  if (typeof start !== "number" || typeof end !== "number") return undefined;
  const name = typeof source_name === "string" ? source_name : null;
  return { source_id, source_name: name, start_pos: start, end_pos: end };
}
