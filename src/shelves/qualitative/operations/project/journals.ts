import * as z from "zod";
import { isPerson } from "../../../../kernel/call.ts";
import { operationsFor } from "../../../../kernel/operation.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { replaceSharedMemo, sharedMemo } from "../../project/memo.ts";
import { assertValidName } from "../../project/names.ts";
import { allJournals } from "../../qda/storage-journals.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId } from "../inputs.ts";

const operation = operationsFor<QualitativeState>();

const listJournals = operation({
  name: "list_journals",
  title: "List journals",
  summary: "The project's journals with their text, or one by name.",
  input: z.object({ name: z.string().optional().describe("Only this journal") }),
  output: z.object({
    journals: z.array(
      z.object({
        name: z.string(),
        entry: z.string().nullable(),
        date: z.string().nullable(),
        owner: z.string().nullable(),
      }),
    ),
  }),
  effect: "reads",
  expose: { http: "GET /qualitative/journals", cli: "project journals" },
  example: {},
  run({ name }, state, call) {
    const wantedName = name?.toLowerCase();
    return {
      journals: allJournals(state.requireProject().db)
        .filter((journal) => wantedName === undefined || journal.name.toLowerCase() === wantedName)
        .map(({ id: _id, entry, ...journal }) => ({
          ...journal,
          entry: isPerson(call) ? entry : sharedMemo(entry),
        })),
    };
  },
  present: ({ journals }) => [
    textBlock(
      journals
        .map(({ name, date, entry }) => `${name}  ${date ?? ""}\n${entry ?? ""}`)
        .join("\n\n") || "There are no journals.",
    ),
  ],
});

const saveJournal = writeOperation({
  name: "save_journal",
  title: "Write a journal",
  summary: "Create or replace a journal; with append, the text is added at its end.",
  input: z.object({
    name: z.string().describe("Name of the journal"),
    entry: z.string().max(10_000_000).optional().describe("Its text"),
    append: z.boolean().default(false).describe("Add the text at the end"),
    new_name: z.string().optional().describe("New name"),
  }),
  output: z.object({ name: z.string(), created: z.boolean(), change_id: changeId }),
  effect: "writes",
  expose: { http: "PUT /qualitative/journals/{name}", cli: "project journal save <name> [entry]" },
  example: { name: "Week 1", entry: "The first interviews." },
  plan({ name, entry, append, new_name }, state, call) {
    const project = state.requireProject();
    const findByName = (all: ReturnType<typeof allJournals>) =>
      all.find((journal) => journal.name.toLowerCase() === name.toLowerCase());
    const found = findByName(allJournals(project.db));
    const newName = new_name ?? found?.name ?? name;
    const summary = `${found ? "Changed" : "Created"} journal '${newName}'`;
    return planWrite(
      project,
      { call, operation: "save_journal", summary },
      ({ writer, db, owner, date }) => {
        const all = allJournals(db);
        const before = findByName(all);
        const others = all.filter(({ id }) => id !== before?.id);
        if (!before || new_name !== undefined)
          assertValidName(newName, others, "JOURNAL_NOT_SAVED");
        if (!before) {
          writer.insert("journal", { name: newName, jentry: entry ?? "", date, owner });
        } else {
          writer.update("journal", before.id, {
            name: newName,
            jentry: entry === undefined ? before.entry : nextEntry(before.entry, entry),
          });
        }
        return {};
      },
      ({ change_id }) => {
        return { name: newName, created: found === undefined, change_id };
      },
    );

    /** An agent replaces only the shared part of an entry; a person replaces all of it. */
    function nextEntry(before: string | null, text: string): string {
      const own = isPerson(call) ? before : sharedMemo(before);
      const next = append && own ? `${own}\n${text}` : text;
      return isPerson(call) ? next : replaceSharedMemo(before, next);
    }
  },
  present: ({ name, created }) => [
    textBlock(`${created ? "Created" : "Changed"} journal '${name}'.`),
  ],
});

const deleteJournal = writeOperation({
  name: "delete_journal",
  title: "Delete a journal",
  summary: "Delete a journal. Does nothing if it does not exist.",
  input: z.object({ name: z.string().describe("Name of the journal") }),
  output: z.object({ name: z.string(), deleted: z.boolean(), change_id: changeId.optional() }),
  effect: "deletes",
  expose: { http: "DELETE /qualitative/journals/{name}", cli: "project journal delete <name>" },
  example: { name: "Week 1" },
  plan({ name }, state, call) {
    const project = state.requireProject();
    const found = allJournals(project.db).find(
      (journal) => journal.name.toLowerCase() === name.toLowerCase(),
    );
    if (!found) return { name, deleted: false };
    const summary = `Deleted journal '${found.name}'`;
    const preview = { name, message: `This will delete journal '${found.name}'` };
    return planWrite(
      project,
      { call, operation: "delete_journal", summary, preview },
      ({ writer }) => {
        writer.remove("journal", found.id);
        return {};
      },
      ({ change_id }) => {
        return { name, deleted: true, change_id };
      },
    );
  },
  present: ({ name, deleted }) => [
    textBlock(deleted ? `Deleted journal '${name}'.` : `There is no journal '${name}'.`),
  ],
});

export const journalOperations = [listJournals, saveJournal, deleteJournal];
