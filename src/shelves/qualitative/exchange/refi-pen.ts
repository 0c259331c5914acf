import { extname } from "node:path";
import { groupedBy } from "../../../text/grouped.ts";
import type { AttributeValue, CaseContent, Content, Made, SourceContent } from "./content.ts";
import { derivedGuid } from "./guid.ts";
import type { XmlWriter } from "./xml.ts";

/** What the parts of a REFI-QDA file are written with. */
export interface RefiPen extends Pick<XmlWriter, "element" | "words"> {
  /** Who made something and when, as attributes. */
  made(made: Made): { creatingUser?: string | undefined; creationDateTime?: string | undefined };
  /** How an attribute's values are written: numbers as decimal ones, all as text where one is none. */
  typeOf(attribute: string): "Text" | "Float";
  values(values: readonly AttributeValue[]): string[];
  /** The source with the words of a recording. */
  transcriptOf(recording: SourceContent): SourceContent | undefined;
  /** What of a source belongs to cases, as selections of it. */
  casePassagesIn(source: SourceContent): { guid: string; start: number; end: number }[];
}

export function makeRefiPen(xml: XmlWriter, content: Content): RefiPen {
  const { coders, attributes, sources, cases } = content;
  const users = new Map(coders.map(({ name, guid }) => [name, guid]));
  const given = groupedBy(
    [...sources, ...cases].flatMap(({ values }) => values),
    ({ attribute }) => attribute,
  );
  const decimal = new Set(
    attributes
      .filter(({ type }) => type === "numeric")
      .map(({ guid }) => guid)
      .filter((guid) => (given.get(guid) ?? []).every(isDecimal)),
  );
  const bySource = groupedBy(
    cases.flatMap((one) =>
      one.passages.map((passage) => ({ ...passage, guid: casePassageGuid(one, passage) })),
    ),
    ({ source }) => source,
  );
  const byGuid = new Map(sources.map((source) => [source.guid, source]));
  const typeOf: RefiPen["typeOf"] = (attribute) => (decimal.has(attribute) ? "Float" : "Text");
  return {
    element: xml.element,
    words: xml.words,
    made: ({ owner, date }) => ({
      creatingUser: users.get(owner ?? ""),
      creationDateTime: refiDate(date),
    }),
    typeOf,
    values: (values) =>
      values.map(({ attribute, value }) =>
        xml.element("VariableValue", {}, [
          xml.element("VariableRef", { targetGUID: attribute }),
          ...xml.words(`${typeOf(attribute)}Value`, value),
        ]),
      ),
    transcriptOf: ({ transcript }) => byGuid.get(transcript ?? ""),
    casePassagesIn: ({ guid }) => bySource.get(guid) ?? [],
  };
}

const isDecimal = ({ value }: AttributeValue): boolean => /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value);

/** Local time without a zone, as the standard allows; a date of another form is left out. */
const refiDate = (date: string | undefined): string | undefined =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(date ?? "") ? date?.replace(" ", "T") : undefined;

/** Files in the archive are named by what they belong to. */
export const textFile = (guid: string): string => `${guid}.txt`;

export const mediaFile = ({ guid, file }: SourceContent): string =>
  `${guid}${/^\.\w{1,10}$/.exec(extname(file?.name ?? ""))?.[0].toLowerCase() ?? ""}`;

/** A text that is laid beside a PDF has a GUID of its own. */
export const representationGuid = ({ guid }: SourceContent): string =>
  derivedGuid("representation", guid);

/** Only documents of Word may stand beside their plain text. */
export const hasRichText = ({ kind, file }: SourceContent): boolean =>
  kind === "text" && file?.place !== undefined && /\.docx$/i.test(file.name);

/** A passage of a case is a selection of its source that has nothing but its place. */
export const casePassageGuid = (
  { guid }: CaseContent,
  { source, start, end }: CaseContent["passages"][number],
): string => derivedGuid("case passage", guid, source, start, end);
