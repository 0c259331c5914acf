import type { XmlElement } from "../../../kernel/formats/xml.ts";
import { groupedBy } from "../../../text/grouped.ts";
import {
  type AttributeContent,
  type CaseContent,
  type Content,
  type JournalContent,
  onceEach,
} from "./content.ts";
import { derivedGuid } from "./guid.ts";
import { attributeOf, childOf, childrenOf, keyIn, targetsOf, wordsIn } from "./refi-elements.ts";
import type { RefiReader } from "./refi-reader.ts";
import { readSets } from "./refi-sets.ts";
import type { ReadSources } from "./refi-source-reading.ts";

/** Cases, attributes, folders and journals, and a word on what has no place with us. */
export function readAround(
  project: XmlElement,
  sources: ReadSources,
  reading: RefiReader,
): Pick<Content, "folders" | "attributes" | "cases" | "journals"> {
  const cases = readCases(childrenOf(childOf(project, "Cases"), "Case"), sources, reading);
  const unused = [...sources.selections.values()].filter(({ isUsed }) => !isUsed).length;
  reading.losses.add("dropped", "Selections that are neither coded nor described", "", unused);
  const attributes = readAttributes(project, sources, cases, reading);
  const folders = readSets(childrenOf(childOf(project, "Sets"), "Set"), sources, reading);
  const journals = reading.notes.rest().map((note) => readJournal(note, reading));
  for (const link of reading.notes.otherLinks) {
    reading.losses.add("dropped", "Links", attributeOf(link, "name"));
  }
  for (const graph of childrenOf(childOf(project, "Graphs"), "Graph")) {
    reading.losses.add("dropped", "Drawn graphs", attributeOf(graph, "name"));
  }
  return { folders, attributes, cases, journals };
}

/** More passages than this in all cases together are no use of cases. */
const mostPassages = 1_000_000;

/** Where a case stands for a code, as some programs write it, what has the code belongs to it. */
function readCases(
  elements: readonly XmlElement[],
  sources: ReadSources,
  reading: RefiReader,
): CaseContent[] {
  const passages = [...sources.all].flatMap((source) =>
    source.passages.map(({ code, start, end }) => ({ code, source: source.guid, start, end })),
  );
  const byCode = groupedBy(passages, ({ code }) => code);
  let left = mostPassages;
  return elements.map((element) => {
    const name = attributeOf(element, "name") || "Untitled";
    const codes = new Set(targetsOf(element, "CodeRef").map((key) => reading.codes.get(key) ?? ""));
    const coded = [...codes].flatMap((code) => {
      const found = byCode.get(code) ?? [];
      left -= found.length;
      if (left < 0) reading.losses.add("dropped", "Passages of cases beyond a million", name);
      return left < 0 ? [] : found.map(({ source, start, end }) => ({ source, start, end }));
    });
    return {
      guid: reading.identify(element),
      name,
      memo: reading.memoOf(element),
      sources: targetsOf(element, "SourceRef").flatMap((key) => sources.byKey.get(key)?.guid ?? []),
      passages: onceEach([...selectedBy(element, name, sources, reading), ...coded]),
      values: reading.valuesOf(element),
    };
  });
}

function selectedBy(
  element: XmlElement,
  name: string,
  { selections }: ReadSources,
  { losses }: RefiReader,
): CaseContent["passages"] {
  return targetsOf(element, "SelectionRef").flatMap((key) => {
    const selected = selections.get(key);
    if (!selected) {
      losses.add("dropped", "Passages of cases that lie in no text", name);
      return [];
    }
    selected.isUsed = true;
    const { source, start, end } = selected;
    return [{ source, start, end }];
  });
}

/** An attribute belongs to cases or to sources with us; one of both becomes two. */
function readAttributes(
  project: XmlElement,
  sources: ReadSources,
  cases: readonly CaseContent[],
  reading: RefiReader,
): AttributeContent[] {
  const attributes: AttributeContent[] = [];
  const ofCases = new Map<string, string>();
  const ofFiles = new Map<string, string>();
  const usedBy = (owners: Iterable<{ values: { attribute: string }[] }>): Set<string> =>
    new Set([...owners].flatMap(({ values }) => values.map(({ attribute }) => attribute)));
  const [byCases, byFiles] = [usedBy(cases), usedBy(sources.all)];
  for (const variable of childrenOf(childOf(project, "Variables"), "Variable")) {
    const key = keyIn(variable);
    const name = attributeOf(variable, "name") || "Untitled";
    const about: Omit<AttributeContent, "of"> = {
      guid: reading.identify(variable),
      name,
      memo: reading.memoOf(variable),
      type: /^(Integer|Float)$/.test(attributeOf(variable, "typeOfVariable") ?? "")
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
      reading.losses.add("changed", "Attributes of cases and of sources, now two", name);
  }
  for (const one of cases) one.values = named(one.values, ofCases);
  for (const source of sources.all) source.values = named(source.values, ofFiles);
  return attributes;
}

const named = (values: CaseContent["values"], guids: ReadonlyMap<string, string>) =>
  values.flatMap(({ attribute, value }) => {
    const guid = guids.get(attribute);
    return guid === undefined ? [] : [{ attribute: guid, value }];
  });

function readJournal(
  note: XmlElement,
  { notes, losses, identify, madeBy }: RefiReader,
): JournalContent {
  const name = attributeOf(note, "name") || "Untitled";
  const text = notes.textOf(note);
  if (text === undefined) losses.add("missing", "Texts that are not in the file", name);
  const count = childrenOf(note, "PlainTextSelection", "Coding").length;
  losses.add("dropped", "Codings of notes", name, count);
  return {
    guid: identify(note),
    name,
    text: [wordsIn(childOf(note, "Description")), text].filter(Boolean).join("\n"),
    ...madeBy(note),
  };
}
