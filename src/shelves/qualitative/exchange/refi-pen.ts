import { extname } from "node:path";
import type { AttributeContent, AttributeValue, Content, Made, SourceContent } from "./content.ts";
import { derivedGuid } from "./guid.ts";
import type { XmlWriter } from "./xml.ts";

/** What the parts of a REFI-QDA file are written with. */
export interface RefiPen extends Pick<XmlWriter, "element" | "words"> {
  /** Who made something and when, as attributes. */
  made(made: Made): { creatingUser?: string | undefined; creationDateTime?: string | undefined };
  values(values: readonly AttributeValue[]): string[];
}

export function makeRefiPen(xml: XmlWriter, content: Content): RefiPen {
  const users = new Map(content.coders.map(({ name, guid }) => [name, guid]));
  const types = new Map(content.attributes.map((one) => [one.guid, typeOfVariable(one, content)]));
  return {
    element: xml.element,
    words: xml.words,
    made: ({ owner, date }) => ({
      creatingUser: users.get(owner ?? ""),
      creationDateTime: refiDate(date),
    }),
    values: (values) =>
      values.map(({ attribute, value }) =>
        xml.element("VariableValue", {}, [
          xml.element("VariableRef", { targetGUID: attribute }),
          ...xml.words(`${types.get(attribute) ?? "Text"}Value`, value),
        ]),
      ),
  };
}

/** A number is written as a decimal one; where a value is none, all are written as text. */
export function typeOfVariable(
  { guid, type }: AttributeContent,
  { sources, cases }: Content,
): "Text" | "Float" {
  if (type !== "numeric") return "Text";
  const values = [...sources, ...cases]
    .flatMap((one) => one.values)
    .filter(({ attribute }) => attribute === guid);
  return values.every(({ value }) => /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value)) ? "Float" : "Text";
}

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
  guid: string,
  { source, start, end }: { source: string; start: number; end: number },
): string => derivedGuid("case passage", guid, source, start, end);
