import { groupBy } from "../../../../text/arrays/group-by.ts";
import type { AttributeContent, CaseContent, Content, JournalContent } from "../content.ts";
import type { LossReport } from "../losses.ts";
import { renderSource } from "./source-writer.ts";
import { casePassageGuid, createRefiWriter, type RefiWriter, textFileName } from "./writer.ts";
import { createXmlWriter, type XmlWriter } from "./xml-writer.ts";

const declaration = '<?xml version="1.0" encoding="utf-8"?>\n';

const origin = "Lectern";

/** The elements are in the order that the standard's XML schema requires. */
export function renderRefiProject(content: Content, losses: LossReport): string {
  const xml = createXmlWriter();
  const writer = createRefiWriter(xml, content);
  const owner = content.coders.find(({ name }) => name === content.coder)?.guid;
  const project = xml.element(
    "Project",
    { xmlns: "urn:QDA-XML:project:1.0", name: content.name, origin, creatingUserGUID: owner },
    [
      ...renderSection(
        writer,
        "Users",
        content.coders.map(({ guid, name }) => writer.element("User", { guid, name })),
      ),
      ...renderSection(
        writer,
        "CodeBook",
        renderSection(writer, "Codes", renderCodes(xml, content)),
      ),
      ...renderSection(
        writer,
        "Variables",
        content.attributes.map((item) => renderVariable(writer, item)),
      ),
      ...renderSection(
        writer,
        "Cases",
        content.cases.map((item) => renderCase(writer, item)),
      ),
      ...renderSection(
        writer,
        "Sources",
        content.sources.map((item) => renderSource(writer, item)),
      ),
      ...renderSection(
        writer,
        "Notes",
        content.journals.map((item) => renderNote(writer, item)),
      ),
      ...renderSection(writer, "Sets", renderFolderSets(writer, content)),
      ...writer.textElement("Description", content.memo),
    ],
  );
  for (const { guid, name, type } of content.attributes) {
    if (type === "numeric" && writer.typeOf(guid) === "Text") {
      losses.add("changed", "Numeric attributes with non-numeric values, now text", name);
    }
  }
  losses.add("changed", "Characters not allowed in XML, replaced by U+FFFD", "", xml.replaced);
  return declaration + project;
}

/** Only codes and categories, as a codebook file. */
export function renderRefiCodebook(content: Content, losses: LossReport): string {
  const xml = createXmlWriter();
  const codebook = xml.element("CodeBook", { xmlns: "urn:QDA-XML:codebook:1.0", origin }, [
    xml.element("Codes", {}, renderCodes(xml, content)),
  ]);
  losses.add("changed", "Characters not allowed in XML, replaced by U+FFFD", "", xml.replaced);
  return declaration + codebook;
}

const renderSection = (
  { element }: Pick<XmlWriter, "element">,
  name: string,
  children: readonly string[],
): string[] => (children.length === 0 ? [] : [element(name, {}, children)]);

/** Categories are codes with `isCodable="false"`; children are nested elements. */
function renderCodes(
  { element, textElement }: XmlWriter,
  { categories, codes }: Content,
): string[] {
  const categoriesBelow = groupBy(categories, ({ parent }) => parent ?? "");
  const codesBelow = groupBy(codes, ({ parent, category }) => parent ?? category ?? "");
  const codesIn = (parent: string): string[] =>
    (codesBelow.get(parent) ?? []).map(({ guid, name, color, memo }) =>
      element("Code", { guid, name, isCodable: true, color: color ?? undefined }, [
        ...textElement("Description", memo),
        ...codesIn(guid),
      ]),
    );
  const allIn = (parent: string): string[] => [
    ...(categoriesBelow.get(parent) ?? []).map(({ guid, name, memo }) =>
      element("Code", { guid, name, isCodable: false }, [
        ...textElement("Description", memo),
        ...allIn(guid),
      ]),
    ),
    ...codesIn(parent),
  ];
  return allIn("");
}

const renderVariable = (writer: RefiWriter, { guid, name, memo }: AttributeContent): string =>
  writer.element(
    "Variable",
    { guid, name, typeOfVariable: writer.typeOf(guid) },
    writer.textElement("Description", memo),
  );

const renderCase = (writer: RefiWriter, item: CaseContent): string =>
  writer.element("Case", { guid: item.guid, name: item.name }, [
    ...writer.textElement("Description", item.memo),
    ...writer.values(item.values),
    ...item.sources.map((targetGUID) => writer.element("SourceRef", { targetGUID })),
    ...item.passages.map((passage) =>
      writer.element("SelectionRef", { targetGUID: casePassageGuid(item, passage) }),
    ),
  ]);

const renderNote = (writer: RefiWriter, journal: JournalContent): string =>
  writer.element("Note", {
    guid: journal.guid,
    name: journal.name,
    plainTextPath: `internal://${textFileName(journal.guid)}`,
    ...writer.authorAttributes(journal),
  });

/** Folders become sets of sources; the name of a nested folder is its path. */
function renderFolderSets({ element }: RefiWriter, { folders, sources }: Content): string[] {
  const byGuid = new Map(folders.map((folder) => [folder.guid, folder]));
  const members = groupBy(sources, ({ folder }) => folder ?? undefined);
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
