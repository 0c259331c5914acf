import { sharedMemo } from "../project/memo.ts";
import { nameLookupsOf } from "./name-lookups.ts";
import { type Report, titledColumns } from "./report.ts";
import type { CodingSelection, ReportCoding } from "./selection.ts";

/** All codings with their text, in reading order. */
export function codedPassages(selection: CodingSelection): Report {
  const { codings, casesOf } = selection;
  const { code, source, case: caseName } = nameLookupsOf(selection);
  return {
    title: "Coded passages",
    notes: [],
    tables: [
      {
        title: "Passages",
        columns: titledColumns({
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
          formatMediaPosition(coding),
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

/** A time of a recording, or a rectangle on a picture. */
function formatMediaPosition({
  kind,
  start,
  end,
  x,
  y,
  width,
  height,
  page,
}: ReportCoding): string | null {
  if (kind === "text") return null;
  if (kind === "av") return `${formatClock(start ?? 0)}–${formatClock(end ?? 0)}`;
  const area = `${width}×${height} at ${x}, ${y}`;
  return page === null ? area : `page ${page}, ${area}`;
}

/** Milliseconds as `1:02:03.450`. */
function formatClock(ms: number): string {
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  const seconds = ((ms % 60_000) / 1_000).toFixed(3).padStart(6, "0");
  return `${hours}:${String(minutes).padStart(2, "0")}:${seconds}`;
}
