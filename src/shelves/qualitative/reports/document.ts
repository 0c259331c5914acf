import { invalid } from "../../../kernel/failure.ts";
import { lengthOf } from "../../../text/agreement.ts";
import { groupedBy } from "../../../text/grouped.ts";
import { readText } from "../source.ts";
import { charactersOf, stretchOf } from "./frequencies.ts";
import { namesIn } from "./names.ts";
import { columnsOf, percent, type Report } from "./report.ts";
import type { Selection } from "./selection.ts";

/** Where in one text its codes lie, from its beginning to its end. */
export function codesOverDocument(selection: Selection): Report {
  const [source, ...others] = selection.sources;
  if (!source || others.length > 0) {
    throw invalid("Invalid parameter 'source_ids': this report is about one source.", [
      "Give the id of one; list_sources gives them.",
    ]);
  }
  const { length } = readText(selection.db, source.id);
  const codings = selection.codings.filter(({ kind }) => kind === "text");
  const { code } = namesIn(selection);
  const coded = lengthOf(codings.map(stretchOf), length);
  return {
    title: `Codes over '${source.name}'`,
    notes: [
      length === 0
        ? "This source has no text."
        : `${percent(coded, length)} % of ${length} characters are coded.`,
    ],
    tables: [
      {
        title: "Places",
        columns: columnsOf({
          segment_id: "Id",
          code_id: "Code id",
          code_name: "Code",
          coder: "Coder",
          start_pos: "Start",
          end_pos: "End",
          from_percent: "From %",
          to_percent: "To %",
        }),
        rows: codings.map((coding) => {
          const { start, end } = stretchOf(coding);
          return [
            coding.id,
            coding.code,
            code(coding.code),
            coding.coder,
            start,
            end,
            percent(start, length),
            percent(end, length),
          ];
        }),
      },
      {
        title: "Coverage",
        columns: columnsOf({
          code_id: "Code id",
          code_name: "Code",
          count: "Codings",
          characters: "Characters",
          percent: "% of the text",
        }),
        rows: [...groupedBy(codings, ({ code: id }) => id)].map(([id, own]) => [
          id,
          code(id),
          own.length,
          charactersOf(own),
          percent(charactersOf(own), length),
        ]),
      },
    ],
  };
}
