import type { XmlElement } from "../../../../kernel/formats/containers/xml.ts";
import type { AttributeValueContent, Authorship, Content } from "../content.ts";
import { derivedGuid, readGuid } from "../guid.ts";
import type { LossReport } from "../losses.ts";
import { createSearchBudget } from "../passage-anchors.ts";
import { createUniqueNamer } from "../unique-names.ts";
import type { RefiArchiveFiles } from "./archive-files.ts";
import { readCasesAndFolders } from "./cases-and-folders-reader.ts";
import { readRefiCodeElements } from "./codebook-reader.ts";
import {
  childElement,
  childElements,
  elementAttribute,
  elementKey,
  elementText,
  toQualcoderDate,
  walkElements,
} from "./elements.ts";
import { readRefiNotes } from "./notes.ts";
import type { RefiReadContext } from "./read-context.ts";
import { readRefiSources } from "./source-reader.ts";

/** Reads a REFI-QDA project; elements without a counterpart are reported as losses. */
export function readRefiProject(
  project: XmlElement,
  parts: RefiArchiveFiles,
  losses: LossReport,
): Content {
  const users = readUsers(project);
  const notes = readRefiNotes(project, parts);
  const used = new Set(
    [...walkElements(project)]
      .filter(({ name }) => name === "Coding")
      .flatMap((coding) =>
        childElements(coding, "CodeRef").map((ref) => elementKey(ref, "targetGUID")),
      ),
  );
  const identify = createIdentifier();
  const memoOf = (element: XmlElement): string =>
    [elementText(childElement(element, "Description")), ...notes.claimTextsAbout(element)]
      .filter(Boolean)
      .join("\n");
  const codebook = readRefiCodeElements(childElement(childElement(project, "CodeBook"), "Codes"), {
    losses,
    identify,
    memoOf,
    isUsed: (key) => used.has(key),
  });
  const context: RefiReadContext = {
    ...parts,
    losses,
    notes,
    codes: codebook.byKey,
    budget: createSearchBudget(),
    identify,
    memoOf,
    authorshipOf: (...elements) => authorshipOf(elements, users),
    valuesOf: (element) => attributeValuesOf(element),
  };
  const memo = memoOf(project);
  const sources = readRefiSources(childElement(project, "Sources"), context);
  const casesAndFolders = readCasesAndFolders(project, sources, context);
  return {
    name: elementAttribute(project, "name") ?? "",
    memo,
    coder: users.get(elementKey(project, "creatingUserGUID"))?.name,
    coders: [...users.values()],
    categories: codebook.categories,
    codes: codebook.codes,
    ...casesAndFolders,
    sources: [...sources.all],
  };
}

/** Reads a codebook file. */
export function readRefiCodeBook(root: XmlElement, losses: LossReport) {
  const { categories, codes } = readRefiCodeElements(childElement(root, "Codes"), {
    losses,
    identify: createIdentifier(),
    memoOf: (element) => elementText(childElement(element, "Description")),
    isUsed: () => false,
  });
  for (const set of childElements(childElement(root, "Sets"), "Set")) {
    losses.add("dropped", "Sets of codes", elementAttribute(set, "name"));
  }
  return { categories, codes };
}

function readUsers(project: XmlElement): Map<string, { guid: string; name: string }> {
  const unique = createUniqueNamer();
  return new Map(
    childElements(childElement(project, "Users"), "User").map((user) => {
      const name = unique(
        elementAttribute(user, "name") || elementAttribute(user, "id") || "unnamed",
      );
      const guid = readGuid(elementAttribute(user, "guid")) ?? derivedGuid("coder", name);
      return [elementKey(user), { guid, name }];
    }),
  );
}

/** Some files use one GUID for two elements; the second gets a new one. */
function createIdentifier(): RefiReadContext["identify"] {
  const used = new Set<string>();
  return (element) => {
    const own = readGuid(elementAttribute(element, "guid"));
    const key = own?.toLowerCase();
    const guid =
      own !== undefined && key !== undefined && !used.has(key)
        ? own
        : derivedGuid("unidentified", elementAttribute(element, "guid") ?? "", used.size);
    used.add(guid.toLowerCase());
    return guid;
  };
}

function authorshipOf(
  elements: readonly XmlElement[],
  users: ReadonlyMap<string, { name: string }>,
): Authorship {
  const first = (name: string): string | undefined =>
    elements.map((element) => elementAttribute(element, name)).find((value) => value !== undefined);
  const owners = elements.map((element) => users.get(elementKey(element, "creatingUser"))?.name);
  return {
    owner: owners.find((name) => name !== undefined),
    date: toQualcoderDate(first("creationDateTime")),
  };
}

/** Values of all types are kept as text. `attribute` is still a reference key here. */
const attributeValuesOf = (element: XmlElement): AttributeValueContent[] =>
  childElements(element, "VariableValue").flatMap((valueElement) => {
    const variable = childElement(valueElement, "VariableRef");
    const value = valueElement.children.find(
      (child): child is XmlElement => typeof child !== "string" && child.name.endsWith("Value"),
    );
    const text = elementText(value);
    return variable && text !== ""
      ? [{ attribute: elementKey(variable, "targetGUID"), value: text }]
      : [];
  });
