import type { XmlElement } from "../../../kernel/formats/xml.ts";
import { searchBudget } from "./anchoring.ts";
import type { AttributeValue, Content, Made } from "./content.ts";
import { derivedGuid, readGuid } from "./guid.ts";
import type { Losses } from "./losses.ts";
import { readAround } from "./refi-around.ts";
import { readCodeBook } from "./refi-codebook.ts";
import {
  attributeOf,
  childOf,
  childrenOf,
  dateOf,
  everyElement,
  keyIn,
  wordsIn,
} from "./refi-elements.ts";
import { readNotes } from "./refi-notes.ts";
import type { RefiParts } from "./refi-parts.ts";
import type { RefiReader } from "./refi-reader.ts";
import { readSources } from "./refi-source-reading.ts";
import { uniqueNames } from "./unique-names.ts";

/** A REFI-QDA project; what has no place with us is told. */
export function readRefiProject(project: XmlElement, parts: RefiParts, losses: Losses): Content {
  const users = readUsers(project);
  const notes = readNotes(project, parts);
  const used = new Set(
    [...everyElement(project)]
      .filter(({ name }) => name === "Coding")
      .flatMap((coding) => childrenOf(coding, "CodeRef").map((ref) => keyIn(ref, "targetGUID"))),
  );
  const identify = identities();
  const memoOf = (element: XmlElement): string =>
    [wordsIn(childOf(element, "Description")), ...notes.about(element)].filter(Boolean).join("\n");
  const book = readCodeBook(childOf(childOf(project, "CodeBook"), "Codes"), {
    losses,
    identify,
    memoOf,
    isUsed: (key) => used.has(key),
  });
  const reading: RefiReader = {
    ...parts,
    losses,
    notes,
    codes: book.byKey,
    budget: searchBudget(),
    identify,
    memoOf,
    madeBy: (...elements) => madeBy(elements, users),
    valuesOf: (element) => valuesOf(element),
  };
  const memo = memoOf(project);
  const sources = readSources(childOf(project, "Sources"), reading);
  const around = readAround(project, sources, reading);
  return {
    name: attributeOf(project, "name") ?? "",
    memo,
    coder: users.get(keyIn(project, "creatingUserGUID"))?.name,
    coders: [...users.values()],
    categories: book.categories,
    codes: book.codes,
    ...around,
    sources: [...sources.all],
  };
}

/** A code book that stands alone. */
export function readRefiCodeBook(root: XmlElement, losses: Losses) {
  const { categories, codes } = readCodeBook(childOf(root, "Codes"), {
    losses,
    identify: identities(),
    memoOf: (element) => wordsIn(childOf(element, "Description")),
    isUsed: () => false,
  });
  for (const set of childrenOf(childOf(root, "Sets"), "Set")) {
    losses.add("dropped", "Sets of codes", attributeOf(set, "name"));
  }
  return { categories, codes };
}

function readUsers(project: XmlElement): Map<string, { guid: string; name: string }> {
  const unique = uniqueNames();
  return new Map(
    childrenOf(childOf(project, "Users"), "User").map((user) => {
      const name = unique(attributeOf(user, "name") || attributeOf(user, "id") || "unnamed");
      const guid = readGuid(attributeOf(user, "guid")) ?? derivedGuid("coder", name);
      return [keyIn(user), { guid, name }];
    }),
  );
}

/** Some files give one GUID to two things; the second gets another one. */
function identities(): RefiReader["identify"] {
  const given = new Set<string>();
  return (element) => {
    const own = readGuid(attributeOf(element, "guid"));
    const key = own?.toLowerCase();
    const guid =
      own !== undefined && key !== undefined && !given.has(key)
        ? own
        : derivedGuid("unidentified", attributeOf(element, "guid") ?? "", given.size);
    given.add(guid.toLowerCase());
    return guid;
  };
}

function madeBy(
  elements: readonly XmlElement[],
  users: ReadonlyMap<string, { name: string }>,
): Made {
  const first = (name: string): string | undefined =>
    elements.map((element) => attributeOf(element, name)).find((value) => value !== undefined);
  const owners = elements.map((element) => users.get(keyIn(element, "creatingUser"))?.name);
  return {
    owner: owners.find((name) => name !== undefined),
    date: dateOf(first("creationDateTime")),
  };
}

/** Values are kept as they are written, whatever their type; `attribute` is still a key here. */
const valuesOf = (element: XmlElement): AttributeValue[] =>
  childrenOf(element, "VariableValue").flatMap((given) => {
    const variable = childOf(given, "VariableRef");
    const value = given.children.find(
      (child): child is XmlElement => typeof child !== "string" && child.name.endsWith("Value"),
    );
    const words = wordsIn(value);
    return variable && words !== ""
      ? [{ attribute: keyIn(variable, "targetGUID"), value: words }]
      : [];
  });
