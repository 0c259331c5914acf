import type { Call } from "../../../kernel/call.ts";
import { counted } from "../../../text/counted.ts";
import type { Hand, Project } from "../project.ts";
import { allCategories, allCodes } from "../qda/storage-codes.ts";
import { colorAt } from "./colors.ts";
import type { Content } from "./content.ts";
import { noteGuid } from "./guids.ts";
import type { Losses } from "./losses.ts";
import { parentsFirst } from "./parents-first.ts";
import { settle } from "./settling.ts";

interface Added {
  codes_added: number;
  categories_added: number;
  already_there: number;
}

/**
 * Adds codes and categories to a project that has some already, as one step that can be undone. A
 * name that is there already, however it is spelled in upper and lower case, is the same code.
 */
export function addCodes(
  project: Project,
  content: Content,
  losses: Losses,
  call: Call,
): Added & { change_id?: number } {
  settle(content, "", losses);
  const done: Added = { codes_added: 0, categories_added: 0, already_there: 0 };
  if (!hasNews(project, content)) {
    return { ...done, already_there: content.codes.length + content.categories.length };
  }
  return project.write(
    {
      call,
      operation: "import_codes",
      summary: () => `Imported ${counted(done.codes_added, "code")}`,
    },
    (hand) => {
      const categories = addCategories(hand, content, done);
      addNew(hand, content, categories, done);
      return done;
    },
  );
}

/** Whether there is anything to write at all. */
function hasNews({ db }: Project, { categories, codes }: Content): boolean {
  const [knownCategories, knownCodes] = [byName(allCategories(db)), byName(allCodes(db))];
  return (
    categories.some(({ name }) => !knownCategories.has(name.toLowerCase())) ||
    codes.some(({ name }) => !knownCodes.has(name.toLowerCase()))
  );
}

/** The rows of categories, old and new, by the GUIDs of the file. */
function addCategories(hand: Hand, { categories }: Content, done: Added): Map<string, number> {
  const { pen, db, owner, date } = hand;
  const known = byName(allCategories(db));
  const rows = new Map<string, number>();
  for (const { guid, name, memo, parent } of parentsFirst(categories)) {
    const there = known.get(name.toLowerCase());
    const supercatid = rows.get(parent ?? "") ?? null;
    const row = there ?? pen.insert("code_cat", { name, memo, owner, date, supercatid });
    rows.set(guid, row);
    known.set(name.toLowerCase(), row);
    done[there === undefined ? "categories_added" : "already_there"] += 1;
    if (there === undefined) noteGuid(hand, "category", row, guid);
  }
  return rows;
}

function addNew(
  hand: Hand,
  { codes }: Content,
  categories: ReadonlyMap<string, number>,
  done: Added,
): void {
  const { pen, db, owner, date } = hand;
  const known = byName(allCodes(db));
  const rows = new Map<string, number>();
  for (const { guid, name, memo, color, category, parent } of parentsFirst(codes)) {
    const there = known.get(name.toLowerCase());
    const catid = categories.get(category ?? "") ?? null;
    const supercid = rows.get(parent ?? "") ?? null;
    const values = {
      name,
      memo,
      color: color ?? colorAt(known.size),
      owner,
      date,
      catid,
      supercid,
    };
    const row = there ?? pen.insert("code_name", values);
    rows.set(guid, row);
    known.set(name.toLowerCase(), row);
    done[there === undefined ? "codes_added" : "already_there"] += 1;
    if (there === undefined) noteGuid(hand, "code", row, guid);
  }
}

const byName = (named: readonly { id: number; name: string }[]): Map<string, number> =>
  new Map(named.map(({ id, name }) => [name.toLowerCase(), id]));
