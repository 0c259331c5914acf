import * as z from "zod";
import { projectRefAt } from "../../../kernel/approval/project-ref.ts";
import { type Call, isPerson } from "../../../kernel/call.ts";
import { Failure, notFound, undefinedIfNotFound } from "../../../kernel/failure.ts";
import {
  applyFileChanges,
  type FileChangeSet,
  readExactText,
} from "../../../kernel/files/file-changes.ts";
import { inverseExchange } from "../../../kernel/files/file-exchange.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { unifiedDiff } from "../../../text/edits/diff.ts";
import { requireCollection } from "../documents/collections.ts";
import { lookUpDocument } from "../documents/lookup.ts";
import type { SearchState } from "../state.ts";
import { exchangeNotes, exchangeNotesOperation } from "./exchange-notes.ts";
import { type NoteTarget, newNoteTarget } from "./note-target.ts";

const operation = operationsFor<SearchState>();

const operationName = "write_note";

const noteInput = z.object({
  mode: z.enum(["create", "append"]).meta({ help: "Start a new note, or add to the end of one" }),
  file: z.string().trim().min(1).max(1_000).describe("collection/path; to append, also a name"),
  text: z.string().min(1).max(500_000).meta({ help: "What to write, in Markdown" }),
});

type NoteInput = z.output<typeof noteInput>;

const writeNote = operation({
  name: operationName,
  title: "Write a note",
  summary:
    "Create a note or append to one. Writes nothing yet: a person sees the difference and decides.",
  input: noteInput,
  output: z.object({
    status: z.enum(["written", "pending_approval"]),
    file: z.string(),
    diff: z.string(),
    changeId: z.int().optional().describe("The id for `lectern undo`"),
    proposalId: z.int().optional().describe("Nothing is written until a person accepts it"),
  }),
  effect: "writes",
  readsIndex: true,
  expose: {
    mcp: true,
    isExtension: true,
    http: "POST /notes",
    cli: "note <mode> <file> <text...>",
  },
  example: { mode: "create", file: "notes/ideas/loft.md", text: "# The loft\n\nDry enough?" },

  async run(input, state, call) {
    await state.store.waitUntilWritable({ signal: call.signal });
    const plan =
      input.mode === "create"
        ? planCreation(state, input)
        : await state.store.run(planAppend(state, input));
    const { root, path, before, after } = plan;
    const file = `${root}/${path}`;
    const diff = unifiedDiff(file, before, after);
    const summary = `${input.mode === "create" ? "Create" : "Append to"} ${file}`;
    const folder = folderOf(state, root);
    if (!isPerson(call)) {
      // The resolved name, so that the proposal does not mean another note later.
      const proposed = { mode: input.mode, file, text: input.text };
      const draft = { summary, preview: diff, project: projectRefAt(folder) };
      return {
        status: "pending_approval" as const,
        file,
        diff,
        ...(await propose(state, proposed, draft, call)),
      };
    }
    const change: FileChangeSet = {
      fileChanges: [{ file: path, before: before ?? null, after }],
      summary: `${input.mode === "create" ? "Created" : "Appended to"} ${file}`,
      operation: operationName,
      undo: (files, folders) =>
        inverseExchange(exchangeNotesOperation, { root: folder, files, folders }),
    };
    const changeId = await state.store.run(applyFileChanges(state, folder, change, call));
    return { status: "written" as const, file, diff, changeId };
  },

  present: ({ status, file, diff, proposalId, changeId }, { mode }) => [
    textBlock(
      status === "written"
        ? `${mode === "create" ? "Created" : "Appended to"} ${file}. Change ${changeId} can be undone.`
        : `Nothing is written yet: proposal ${proposalId} waits for a person.\n\n${diff}`,
    ),
  ],
});

export const noteOperations = [writeNote, exchangeNotes];

interface NotePlan extends NoteTarget {
  /** Undefined for a new note. */
  before?: string;
  after: string;
}

function planCreation(state: SearchState, { file, text }: NoteInput): NotePlan {
  const target = newNoteTarget(state, file);
  if (readNote(state, target) !== undefined) {
    throw new Failure("conflict", "exists", `'${target.root}/${target.path}' already exists.`, {
      hints: ["Choose another name, or append to it. Nothing was written."],
    });
  }
  return { ...target, after: withLineEnd(text, "\n") };
}

function* planAppend(state: SearchState, { file, text }: NoteInput): Steps<NotePlan> {
  const target = yield* existingTarget(state, file);
  const before = readNote(state, target);
  if (before === undefined) throw notFound(`Document not found: ${file}`);
  const lineEnd = before.includes("\r\n") ? "\r\n" : "\n";
  const start = before === "" ? "" : withLineEnd(before, lineEnd);
  const added = withLineEnd(text.replace(/\r?\n/g, lineEnd), lineEnd);
  return { ...target, before, after: start + added };
}

/** A note that was just created is on disk before it is in the index. */
function* existingTarget(state: SearchState, file: string): Steps<NoteTarget> {
  const exact = withoutFailure(() => newNoteTarget(state, file));
  if (exact && withoutFailure(() => readNote(state, exact)) !== undefined) return exact;
  const { document } = yield* lookUpDocument(state, file);
  const { root, path } = document;
  if (!state.reader.needsConversion(path)) return { root, path };
  throw new Failure("conflict", "not-text", `'${root}/${path}' is not a text file.`);
}

function withoutFailure<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

const readNote = (state: SearchState, { root, path }: NoteTarget): string | undefined =>
  undefinedIfNotFound(() => readExactText(state.boundary, folderOf(state, root), path));

/** The real path of a collection. */
const folderOf = ({ boundary, config }: SearchState, root: string): string =>
  boundary.resolvePath(requireCollection(config.read(), root).path);

const withLineEnd = (text: string, lineEnd: string): string =>
  /[\r\n]$/.test(text) ? text : text + lineEnd;

/** Reuses an identical pending proposal. */
async function propose(
  { proposals, store }: SearchState,
  input: NoteInput,
  draft: Pick<Parameters<typeof proposals.propose>[0], "summary" | "preview" | "project">,
  call: Call,
): Promise<{ proposalId: number }> {
  const proposal = { shelf: "search", operation: operationName, input, ...draft };
  const { id } = await store.run(proposals.proposeOnce(proposal, call));
  return { proposalId: id };
}
