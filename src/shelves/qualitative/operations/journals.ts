import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { isPerson } from "../../../kernel/call.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { rewrittenMemo, sharedMemo } from "../memo.ts";
import { refuseBadName } from "../naming.ts";
import { allJournals } from "../qda/storage-journals.ts";
import type { QualitativeState } from "../state.ts";
import { changeId } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

const listJournals = operation({
  name: "list_journals",
  title: "List journals",
  summary: "The project's journals with what is written in them, or one by its name.",
  input: z.object({ name: z.string().optional().describe("Only this one") }),
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
    const wanted = name?.toLowerCase();
    return {
      journals: allJournals(state.needed().db)
        .filter((journal) => wanted === undefined || journal.name.toLowerCase() === wanted)
        .map(({ id: _id, entry, ...journal }) => ({
          ...journal,
          entry: isPerson(call) ? entry : sharedMemo(entry),
        })),
    };
  },
  present: ({ journals }) => [
    text(
      journals
        .map(({ name, date, entry }) => `${name}  ${date ?? ""}\n${entry ?? ""}`)
        .join("\n\n") || "There are no journals.",
    ),
  ],
});

const saveJournal = operation({
  name: "save_journal",
  title: "Write a journal",
  summary: "Make a journal or write it anew; with append, the words are put behind what is there.",
  input: z.object({
    name: z.string().describe("Name of the journal"),
    entry: z.string().max(10_000_000).optional().describe("Its text"),
    append: z.boolean().default(false).describe("Put the text behind what is there"),
    new_name: z.string().optional().describe("Its name from now on"),
  }),
  output: z.object({ name: z.string(), created: z.boolean(), change_id: changeId }),
  effect: "writes",
  expose: { http: "PUT /qualitative/journals/{name}", cli: "project journal save <name> [entry]" },
  example: { name: "Week 1", entry: "The first interviews." },
  run({ name, entry, append, new_name }, state, call) {
    const project = state.needed();
    const named = (all: ReturnType<typeof allJournals>) =>
      all.find((journal) => journal.name.toLowerCase() === name.toLowerCase());
    const found = named(allJournals(project.db));
    const called = new_name ?? found?.name ?? name;
    const summary = `${found ? "Changed" : "Created"} journal '${called}'`;
    const { change_id } = project.write(
      { call, operation: "save_journal", summary },
      ({ pen, db, owner, date }) => {
        const all = allJournals(db);
        const before = named(all);
        const others = all.filter(({ id }) => id !== before?.id);
        if (!before || new_name !== undefined) refuseBadName(called, others, "JOURNAL_NOT_SAVED");
        if (!before) {
          pen.insert("journal", { name: called, jentry: entry ?? "", date, owner });
        } else {
          pen.update("journal", before.id, {
            name: called,
            jentry: entry === undefined ? before.entry : written(before.entry, entry),
          });
        }
        return {};
      },
    );
    return { name: called, created: found === undefined, change_id };

    /** An agent writes what is shared and leaves what is private; a person writes all of it. */
    function written(before: string | null, words: string): string {
      const own = isPerson(call) ? before : sharedMemo(before);
      const next = append && own ? `${own}\n${words}` : words;
      return isPerson(call) ? next : rewrittenMemo(before, next);
    }
  },
  present: ({ name, created }) => [text(`${created ? "Created" : "Changed"} journal '${name}'.`)],
});

const deleteJournal = operation({
  name: "delete_journal",
  title: "Delete a journal",
  summary: "Delete a journal. Does nothing where there is none.",
  input: z.object({ name: z.string().describe("Name of the journal") }),
  output: z.object({ name: z.string(), deleted: z.boolean(), change_id: changeId.optional() }),
  effect: "deletes",
  expose: { http: "DELETE /qualitative/journals/{name}", cli: "project journal delete <name>" },
  example: { name: "Week 1" },
  run({ name }, state, call) {
    const project = state.needed();
    const found = allJournals(project.db).find(
      (journal) => journal.name.toLowerCase() === name.toLowerCase(),
    );
    if (!found) return { name, deleted: false };
    const summary = `Deleted journal '${found.name}'`;
    const preview = { name, message: `This will delete journal '${found.name}'` };
    const { change_id } = project.write(
      { call, operation: "delete_journal", summary, preview },
      ({ pen }) => {
        pen.remove("journal", found.id);
        return {};
      },
    );
    return { name, deleted: true, change_id };
  },
  present: ({ name, deleted }) => [
    text(deleted ? `Deleted journal '${name}'.` : `There is no journal '${name}'.`),
  ],
});

export const journalOperations = [listJournals, saveJournal, deleteJournal];
