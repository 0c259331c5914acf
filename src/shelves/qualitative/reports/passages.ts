import { sharedMemo } from "../memo.ts";
import { namesIn } from "./names.ts";
import { columnsOf, type Report } from "./report.ts";
import type { Coding, Selection } from "./selection.ts";

/** Everything that is coded, with its words, in reading order. */
export function passages(selection: Selection): Report {
  const { codings, casesOf } = selection;
  const { code, source, case: caseName } = namesIn(selection);
  return {
    title: "Coded passages",
    notes: [],
    tables: [
      {
        title: "Passages",
        columns: columnsOf({
          segment_id: "Id",
          source_id: "Source id",
          source_name: "Source",
          code_id: "Code id",
          code_name: "Code",
          coder: "Coder",
          kind: "Kind",
          start_pos: "Start",
          end_pos: "End",
          place: "Place",
          text: "Text",
          memo: "Memo",
          importance: "Importance",
          cases: "Cases",
          date: "Date",
        }),
        rows: codings.map((coding) => [
          coding.id,
          coding.source,
          source(coding.source),
          coding.code,
          code(coding.code),
          coding.coder,
          coding.kind,
          coding.start,
          coding.end,
          placeOf(coding),
          coding.text,
          sharedMemo(coding.memo) || null,
          coding.importance,
          casesOf(coding).map(caseName).join(", ") || null,
          coding.date,
        ]),
      },
    ],
  };
}

/** Where people look for it: a time of a recording, a rectangle on a picture. */
function placeOf({ kind, start, end, x, y, width, height, page }: Coding): string | null {
  if (kind === "text") return null;
  if (kind === "av") return `${clock(start ?? 0)}–${clock(end ?? 0)}`;
  const area = `${width}×${height} at ${x}, ${y}`;
  return page === null ? area : `page ${page}, ${area}`;
}

/** Milliseconds as `1:02:03.450`. */
function clock(ms: number): string {
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  const seconds = ((ms % 60_000) / 1_000).toFixed(3).padStart(6, "0");
  return `${hours}:${String(minutes).padStart(2, "0")}:${seconds}`;
}
