import { extname } from "node:path";
import { groupBy } from "../../../../text/arrays/group-by.ts";
import type {
  AttributeValueContent,
  Authorship,
  CaseContent,
  Content,
  SourceContent,
} from "../content.ts";
import { derivedGuid } from "../guid.ts";
import type { XmlWriter } from "./xml-writer.ts";

/** Shared by the writers of the parts of a REFI-QDA file. */
export interface RefiWriter extends Pick<XmlWriter, "element" | "textElement"> {
  /** The XML attributes for owner and date. */
  authorAttributes(authorship: Authorship): {
    creatingUser?: string | undefined;
    creationDateTime?: string | undefined;
  };
  /** `Float` if all values of the attribute are numbers. */
  typeOf(attribute: string): "Text" | "Float";
  values(values: readonly AttributeValueContent[]): string[];
  /** The source with the transcript of a recording. */
  transcriptOf(recording: SourceContent): SourceContent | undefined;
  /** The passages of a source that are linked to cases. */
  casePassagesIn(source: SourceContent): { guid: string; start: number; end: number }[];
}

export function createRefiWriter(xml: XmlWriter, content: Content): RefiWriter {
  const { coders, attributes, sources, cases } = content;
  const users = new Map(coders.map(({ name, guid }) => [name, guid]));
  const valuesByName = groupBy(
    [...sources, ...cases].flatMap(({ values }) => values),
    ({ attribute }) => attribute,
  );
  const decimal = new Set(
    attributes
      .filter(({ type }) => type === "numeric")
      .map(({ guid }) => guid)
      .filter((guid) => (valuesByName.get(guid) ?? []).every(isDecimal)),
  );
  const bySource = groupBy(
    cases.flatMap((item) =>
      item.passages.map((passage) => ({ ...passage, guid: casePassageGuid(item, passage) })),
    ),
    ({ source }) => source,
  );
  const byGuid = new Map(sources.map((source) => [source.guid, source]));
  const typeOf: RefiWriter["typeOf"] = (attribute) => (decimal.has(attribute) ? "Float" : "Text");
  return {
    element: xml.element,
    textElement: xml.textElement,
    authorAttributes: ({ owner, date }) => ({
      creatingUser: users.get(owner ?? ""),
      creationDateTime: toRefiDate(date),
    }),
    typeOf,
    values: (values) =>
      values.map(({ attribute, value }) =>
        xml.element("VariableValue", {}, [
          xml.element("VariableRef", { targetGUID: attribute }),
          ...xml.textElement(`${typeOf(attribute)}Value`, value),
        ]),
      ),
    transcriptOf: ({ transcript }) => byGuid.get(transcript ?? ""),
    casePassagesIn: ({ guid }) => bySource.get(guid) ?? [],
  };
}

const isDecimal = ({ value }: AttributeValueContent): boolean =>
  /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value);

/** Local time without a time zone, as the standard allows; undefined for other formats. */
const toRefiDate = (date: string | undefined): string | undefined =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(date ?? "") ? date?.replace(" ", "T") : undefined;

/** Files in the archive are named by the GUID of their item. */
export const textFileName = (guid: string): string => `${guid}.txt`;

export const mediaFileName = ({ guid, file }: SourceContent): string =>
  `${guid}${/^\.\w{1,10}$/.exec(extname(file?.name ?? ""))?.[0].toLowerCase() ?? ""}`;

/** The plain text of a PDF has its own GUID. */
export const representationGuid = ({ guid }: SourceContent): string =>
  derivedGuid("representation", guid);

/** The standard allows only Word documents beside their plain text. */
export const hasWordDocument = ({ kind, file }: SourceContent): boolean =>
  kind === "text" && file?.location !== undefined && /\.docx$/i.test(file.name);

/** A passage of a case is a selection without codings or a description. */
export const casePassageGuid = (
  { guid }: CaseContent,
  { source, start, end }: CaseContent["passages"][number],
): string => derivedGuid("case passage", guid, source, start, end);
