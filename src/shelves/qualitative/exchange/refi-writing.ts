import { groupedBy } from "../../../text/grouped.ts";
import type { AttributeContent, CaseContent, Content, JournalContent } from "./content.ts";
import type { Losses } from "./losses.ts";
import { casePassageGuid, makeRefiPen, type RefiPen, textFile } from "./refi-pen.ts";
import { sourceElement } from "./refi-sources.ts";
import { makeXmlWriter, type XmlWriter } from "./xml.ts";

const declaration = '<?xml version="1.0" encoding="utf-8"?>\n';

const origin = "Lectern";

/** The order of the elements is the standard's: whoever checks a file by its schema checks it. */
export function refiProject(content: Content, losses: Losses): string {
  const xml = makeXmlWriter();
  const pen = makeRefiPen(xml, content);
  const owner = content.coders.find(({ name }) => name === content.coder)?.guid;
  const project = xml.element(
    "Project",
    { xmlns: "urn:QDA-XML:project:1.0", name: content.name, origin, creatingUserGUID: owner },
    [
      ...section(
        pen,
        "Users",
        content.coders.map(({ guid, name }) => pen.element("User", { guid, name })),
      ),
      ...section(pen, "CodeBook", section(pen, "Codes", codeElements(xml, content))),
      ...section(
        pen,
        "Variables",
        content.attributes.map((one) => variable(pen, one)),
      ),
      ...section(
        pen,
        "Cases",
        content.cases.map((one) => caseElement(pen, one)),
      ),
      ...section(
        pen,
        "Sources",
        content.sources.map((one) => sourceElement(pen, one)),
      ),
      ...section(
        pen,
        "Notes",
        content.journals.map((one) => note(pen, one)),
      ),
      ...section(pen, "Sets", setsOf(pen, content)),
      ...pen.words("Description", content.memo),
    ],
  );
  for (const { guid, name, type } of content.attributes) {
    if (type === "numeric" && pen.typeOf(guid) === "Text") {
      losses.add("changed", "Numeric attributes with values that are no numbers, now text", name);
    }
  }
  losses.add("changed", "Characters that XML cannot hold, now U+FFFD", "", xml.replaced);
  return declaration + project;
}

/** Codes and categories alone, for programs that exchange code books. */
export function refiCodeBook(content: Content, losses: Losses): string {
  const xml = makeXmlWriter();
  const book = xml.element("CodeBook", { xmlns: "urn:QDA-XML:codebook:1.0", origin }, [
    xml.element("Codes", {}, codeElements(xml, content)),
  ]);
  losses.add("changed", "Characters that XML cannot hold, now U+FFFD", "", xml.replaced);
  return declaration + book;
}

const section = (
  { element }: Pick<XmlWriter, "element">,
  name: string,
  children: readonly string[],
): string[] => (children.length === 0 ? [] : [element(name, {}, children)]);

/** Categories are codes with which nothing can be coded; what stands below stands inside. */
function codeElements({ element, words }: XmlWriter, { categories, codes }: Content): string[] {
  const categoriesBelow = groupedBy(categories, ({ parent }) => parent ?? "");
  const codesBelow = groupedBy(codes, ({ parent, category }) => parent ?? category ?? "");
  const codesIn = (above: string): string[] =>
    (codesBelow.get(above) ?? []).map(({ guid, name, color, memo }) =>
      element("Code", { guid, name, isCodable: true, color: color ?? undefined }, [
        ...words("Description", memo),
        ...codesIn(guid),
      ]),
    );
  const allIn = (above: string): string[] => [
    ...(categoriesBelow.get(above) ?? []).map(({ guid, name, memo }) =>
      element("Code", { guid, name, isCodable: false }, [
        ...words("Description", memo),
        ...allIn(guid),
      ]),
    ),
    ...codesIn(above),
  ];
  return allIn("");
}

const variable = (pen: RefiPen, { guid, name, memo }: AttributeContent): string =>
  pen.element(
    "Variable",
    { guid, name, typeOfVariable: pen.typeOf(guid) },
    pen.words("Description", memo),
  );

const caseElement = (pen: RefiPen, one: CaseContent): string =>
  pen.element("Case", { guid: one.guid, name: one.name }, [
    ...pen.words("Description", one.memo),
    ...pen.values(one.values),
    ...one.sources.map((targetGUID) => pen.element("SourceRef", { targetGUID })),
    ...one.passages.map((passage) =>
      pen.element("SelectionRef", { targetGUID: casePassageGuid(one, passage) }),
    ),
  ]);

const note = (pen: RefiPen, journal: JournalContent): string =>
  pen.element("Note", {
    guid: journal.guid,
    name: journal.name,
    plainTextPath: `internal://${textFile(journal.guid)}`,
    ...pen.made(journal),
  });

/** Folders are sets of sources; one that lies in another has the way to it as its name. */
function setsOf({ element }: RefiPen, { folders, sources }: Content): string[] {
  const byGuid = new Map(folders.map((folder) => [folder.guid, folder]));
  const members = groupedBy(sources, ({ folder }) => folder ?? undefined);
  const pathOf = (guid: string): string => {
    const { name, parent } = byGuid.get(guid) ?? { name: "", parent: null };
    return parent === null ? name : `${pathOf(parent)}/${name}`;
  };
  return folders.map(({ guid }) =>
    element(
      "Set",
      { guid, name: pathOf(guid) },
      (members.get(guid) ?? []).map((source) =>
        element("MemberSource", { targetGUID: source.guid }),
      ),
    ),
  );
}
