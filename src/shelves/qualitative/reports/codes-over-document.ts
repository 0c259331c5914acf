import { invalid } from "../../../kernel/failure.ts";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { markedLength } from "../../../text/spans/coder-agreement.ts";
import { readSourceText } from "../sources/source.ts";
import { codedRangeOf, countCodedCharacters } from "./frequencies.ts";
import { nameLookupsOf } from "./name-lookups.ts";
import { percentOf, type Report, titledColumns } from "./report.ts";
import type { CodingSelection } from "./selection.ts";

/** The distribution of codes over the length of one text. */
export function codesOverDocument(selection: CodingSelection): Report {
  const [source, ...others] = selection.sources;
  if (!source || others.length > 0) {
    throw invalid("Invalid parameter 'source_ids': this report is about one source.", [
      "Give one id; list_sources lists them.",
    ]);
  }
  const { length } = readSourceText(selection.db, source.id);
  const codings = selection.codings.filter(({ kind }) => kind === "text");
  const { code } = nameLookupsOf(selection);
  const coded = markedLength(codings.map(codedRangeOf), length);
  return {
    title: `Codes over '${source.name}'`,
    notes: [
      length === 0
        ? "This source has no text."
        : `${percentOf(coded, length)} % of ${length} characters are coded.`,
    ],
    tables: [
      {
        title: "Places",
        columns: titledColumns({
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
          const { start, end } = codedRangeOf(coding);
          return [
            coding.id,
            coding.code,
            code(coding.code),
            coding.coder,
            start,
            end,
            percentOf(start, length),
            percentOf(end, length),
          ];
        }),
      },
      {
        title: "Coverage",
        columns: titledColumns({
          code_id: "Code id",
          code_name: "Code",
          count: "Codings",
          characters: "Characters",
          percent: "% of the text",
        }),
        rows: [...groupBy(codings, ({ code: id }) => id)].map(([id, own]) => [
          id,
          code(id),
          own.length,
          countCodedCharacters(own),
          percentOf(countCodedCharacters(own), length),
        ]),
      },
    ],
  };
}
