import type { XmlElement } from "../../../../kernel/formats/containers/xml.ts";
import { groupBy } from "../../../../text/arrays/group-by.ts";
import {
  type AttributeContent,
  type CaseContent,
  type Content,
  distinctCasePassages,
  type JournalContent,
} from "../content.ts";
import { derivedGuid } from "../guid.ts";
import {
  childElement,
  childElements,
  elementAttribute,
  elementKey,
  elementText,
  targetKeys,
} from "./elements.ts";
import { readFolderSets } from "./folder-sets.ts";
import type { RefiReadContext } from "./read-context.ts";
import type { RefiSources } from "./source-reader.ts";

/** Reads cases, attributes, folders and journals; other elements are reported as losses. */
export function readCasesAndFolders(
  project: XmlElement,
  sources: RefiSources,
  context: RefiReadContext,
): Pick<Content, "folders" | "attributes" | "cases" | "journals"> {
  const cases = readCases(childElements(childElement(project, "Cases"), "Case"), sources, context);
  const unused = [...sources.selections.values()].filter(({ isUsed }) => !isUsed).length;
  context.losses.add("dropped", "Selections that are neither coded nor described", "", unused);
  const attributes = readAttributes(project, sources, cases, context);
  const folders = readFolderSets(
    childElements(childElement(project, "Sets"), "Set"),
    sources,
    context,
  );
  const journals = context.notes.unclaimed().map((note) => readJournal(note, context));
  for (const link of context.notes.otherLinks) {
    context.losses.add("dropped", "Links", elementAttribute(link, "name"));
  }
  for (const graph of childElements(childElement(project, "Graphs"), "Graph")) {
    context.losses.add("dropped", "Drawn graphs", elementAttribute(graph, "name"));
  }
  return { folders, attributes, cases, journals };
}

/** Limit over all cases, against malformed files. */
const maxCasePassages = 1_000_000;

/**
 * Some programs link a case to a code, which means that all passages coded with it belong to the
 * case.
 */
function readCases(
  elements: readonly XmlElement[],
  sources: RefiSources,
  context: RefiReadContext,
): CaseContent[] {
  const passages = [...sources.all].flatMap((source) =>
    source.passages.map(({ code, start, end }) => ({ code, source: source.guid, start, end })),
  );
  const byCode = groupBy(passages, ({ code }) => code);
  let remaining = maxCasePassages;
  return elements.map((element) => {
    const name = elementAttribute(element, "name") || "Untitled";
    const codes = new Set(
      targetKeys(element, "CodeRef").map((key) => context.codes.get(key) ?? ""),
    );
    const coded = [...codes].flatMap((code) => {
      const passages = byCode.get(code) ?? [];
      remaining -= passages.length;
      if (remaining < 0) context.losses.add("dropped", "Passages of cases beyond a million", name);
      return remaining < 0
        ? []
        : passages.map(({ source, start, end }) => ({ source, start, end }));
    });
    return {
      guid: context.identify(element),
      name,
      memo: context.memoOf(element),
      sources: targetKeys(element, "SourceRef").flatMap(
        (key) => sources.byKey.get(key)?.guid ?? [],
      ),
      passages: distinctCasePassages([
        ...selectedPassages(element, name, sources, context),
        ...coded,
      ]),
      values: context.valuesOf(element),
    };
  });
}

function selectedPassages(
  element: XmlElement,
  name: string,
  { selections }: RefiSources,
  { losses }: RefiReadContext,
): CaseContent["passages"] {
  return targetKeys(element, "SelectionRef").flatMap((key) => {
    const selected = selections.get(key);
    if (!selected) {
      losses.add("dropped", "Passages of cases outside any text", name);
      return [];
    }
    selected.isUsed = true;
    const { source, start, end } = selected;
    return [{ source, start, end }];
  });
}

/**
 * In a project an attribute belongs to cases or to sources, so an attribute of both becomes two.
 */
function readAttributes(
  project: XmlElement,
  sources: RefiSources,
  cases: readonly CaseContent[],
  context: RefiReadContext,
): AttributeContent[] {
  const attributes: AttributeContent[] = [];
  const ofCases = new Map<string, string>();
  const ofFiles = new Map<string, string>();
  const usedBy = (owners: Iterable<{ values: { attribute: string }[] }>): Set<string> =>
    new Set([...owners].flatMap(({ values }) => values.map(({ attribute }) => attribute)));
  const [byCases, byFiles] = [usedBy(cases), usedBy(sources.all)];
  for (const variable of childElements(childElement(project, "Variables"), "Variable")) {
    const key = elementKey(variable);
    const name = elementAttribute(variable, "name") || "Untitled";
    const about: Omit<AttributeContent, "of"> = {
      guid: context.identify(variable),
      name,
      memo: context.memoOf(variable),
      type: /^(Integer|Float)$/.test(elementAttribute(variable, "typeOfVariable") ?? "")
        ? "numeric"
        : "character",
    };
    const isOfBoth = byCases.has(key) && byFiles.has(key);
    if (!byFiles.has(key) || isOfBoth) {
      attributes.push({ ...about, of: "case" });
      ofCases.set(key, about.guid);
    }
    if (!byFiles.has(key)) continue;
    const guid = isOfBoth ? derivedGuid("attribute of files", about.guid) : about.guid;
    const fileName = isOfBoth ? `${name} (file)` : name;
    attributes.push({ ...about, guid, name: fileName, of: "file" });
    ofFiles.set(key, guid);
    if (isOfBoth)
      context.losses.add(
        "changed",
        "Attributes of both cases and sources, now two attributes",
        name,
      );
  }
  for (const item of cases) item.values = withAttributeGuids(item.values, ofCases);
  for (const source of sources.all) source.values = withAttributeGuids(source.values, ofFiles);
  return attributes;
}

const withAttributeGuids = (values: CaseContent["values"], guids: ReadonlyMap<string, string>) =>
  values.flatMap(({ attribute, value }) => {
    const guid = guids.get(attribute);
    return guid === undefined ? [] : [{ attribute: guid, value }];
  });

function readJournal(
  note: XmlElement,
  { notes, losses, identify, authorshipOf }: RefiReadContext,
): JournalContent {
  const name = elementAttribute(note, "name") || "Untitled";
  const text = notes.textOf(note);
  if (text === undefined) losses.add("missing", "Texts that are not in the file", name);
  const count = childElements(note, "PlainTextSelection", "Coding").length;
  losses.add("dropped", "Codings of notes", name, count);
  return {
    guid: identify(note),
    name,
    text: [elementText(childElement(note, "Description")), text].filter(Boolean).join("\n"),
    ...authorshipOf(note),
  };
}
