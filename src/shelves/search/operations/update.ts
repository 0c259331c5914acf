import * as z from "zod";
import { type Call, isPerson } from "../../../kernel/call.ts";
import type { Root } from "../../../kernel/documents/documents.ts";
import { pullRepositories } from "../../../kernel/git/pull-repositories.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { maxListItems } from "../../../kernel/operations/list-page.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import type { SearchState } from "../state.ts";

const operation = operationsFor<SearchState>();

/** The output fields of indexing that is not complete. */
export const indexingShape = {
  partial: z.boolean().optional().describe("True if indexing continues in the background"),
  skipped: z
    .array(z.object({ path: z.string(), reason: z.string() }))
    .optional()
    .describe("Files that could not be read as text"),
};

/** A search with this revision as `minRevision` includes the change. */
export const revisionOutput = z.int().describe("The index revision that includes this change");

const updateCollections = operation({
  name: "update_collections",
  title: "Update all collections",
  summary: "Compare every collection with its folder and index the changes.",
  input: z.object({
    pull: z
      .boolean()
      .default(false)
      .describe("First run `git pull` in collections that are in a git repository"),
    verify: z.boolean().default(false).describe("Verify the whole index against its checksums"),
  }),
  output: z.object({
    status: z.literal("updated"),
    collections: z.int(),
    revision: revisionOutput,
    notPulled: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .optional()
      .describe("Collections whose pull failed; they were indexed without it"),
    added: z.int().optional().describe("New documents"),
    changed: z.int().optional().describe("Documents with new text, or that were moved"),
    removed: z.int().optional().describe("Documents whose files no longer exist"),
    unchanged: z.int().optional(),
    repaired: z
      .array(z.string())
      .optional()
      .describe("Damaged parts of the index that were rebuilt"),
    ...indexingShape,
  }),
  effect: "writes",
  network: true,
  expose: { http: "POST /update", cli: "update" },
  example: {},
  async run({ pull, verify }, state, call) {
    const notPulled = pull ? await pullAll(state, call) : [];
    await state.store.run(state.indexer.removeUnconfigured(state.roots));
    const repaired = await state.queue.run("verify", () => repairIndex(state, verify));
    const { counts, ...outcome } = await indexRoots(state, visibleRoots(state), call);
    const total = await state.store.run(state.documents.count());
    const collections = Object.keys(state.config.read().collections).length;
    return {
      status: "updated" as const,
      collections,
      revision: await state.store.run(state.revision()),
      ...(counts && {
        ...counts,
        unchanged: Math.max(total - counts.added - counts.changed, 0),
      }),
      ...(notPulled.length > 0 && { notPulled }),
      ...(repaired.length > 0 && { repaired: [...repaired] }),
      ...outcome,
    };
  },
  present({ collections, notPulled = [], repaired = [], skipped, ...counts }, _input, reader) {
    const problems = notPulled.map(({ name, reason }) => `Could not pull '${name}': ${reason}`);
    const updated = `Updated ${pluralise(collections, "collection")}`;
    const repairs = repaired.map((part) => `Repaired ${part}`);
    const numbers = reader === "person" ? formatCounts(counts) : [];
    return [
      textBlock(
        [updated, ...numbers, ...repairs, ...problems, ...formatSkipped(skipped)].join("\n"),
      ),
    ];
  },
});

/** `2 added, 0 changed, 1 removed, 40 unchanged`; empty if indexing continues. */
function formatCounts({
  added,
  changed,
  removed,
  unchanged,
}: {
  [Count in keyof ChangeCounts | "unchanged"]?: number | undefined;
}): string[] {
  if (added === undefined) return [];
  return [`${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged`];
}

const indexCollections = operation({
  name: "index_collections",
  title: "Index all collections",
  summary: "Scan every collection, add new documents and update changed ones.",
  input: z.object({}),
  output: z.object({
    status: z.literal("indexed"),
    collections: z.int(),
    totalDocuments: z.int(),
    revision: revisionOutput,
    ...indexingShape,
  }),
  effect: "writes",
  expose: { http: "POST /index", cli: "index" },
  example: {},
  async run(_input, state, call) {
    const { counts: _, ...outcome } = await indexRoots(state, visibleRoots(state), call);
    const collections = Object.keys(state.config.read().collections).length;
    const totalDocuments = await state.store.run(state.documents.count());
    const revision = await state.store.run(state.revision());
    return { status: "indexed" as const, collections, totalDocuments, revision, ...outcome };
  },
  present({ collections, totalDocuments, skipped }) {
    const number = `${pluralise(collections, "collection")}: ${pluralise(totalDocuments, "document")}`;
    return [textBlock([`Indexed ${number}`, ...formatSkipped(skipped)].join("\n"))];
  },
});

export const updateOperations = [updateCollections, indexCollections];

/** Collections outside the force root are indexed by other processes and hidden here. */
const visibleRoots = ({ roots, config }: SearchState): Root[] =>
  roots().filter(({ name }) => Object.hasOwn(config.read().collections, name));

/**
 * Repairs the whole index, which all processes share. With a force root, nothing is reported,
 * because even a count would reveal something about the documents outside.
 */
async function repairIndex(
  { repairDerived, indexer, roots, settings }: SearchState,
  isWhole: boolean,
): Promise<readonly string[]> {
  const repaired = await repairDerived({ isWhole });
  if (repaired.length > 0) await indexer.scan(roots());
  return settings.forceRoot === undefined ? repaired : [];
}

/** The time limit for one repository: below the time limit of an agent's call, higher for a person. */
const pullTimeoutMs = { agent: 20_000, person: 120_000 };

/** Not queued, so that an unresponsive git server does not block indexing. */
async function pullAll({ boundary, config }: SearchState, call: Call) {
  const folders = Object.entries(config.read().collections).map(([name, { path }]) => ({
    name,
    path,
  }));
  const deadlineMs = isPerson(call) ? pullTimeoutMs.person : pullTimeoutMs.agent;
  const pulled = await pullRepositories(folders, boundary, { signal: call.signal, deadlineMs });
  return pulled.flatMap(({ name, result }) =>
    typeof result === "object" ? [{ name, reason: result.problem }] : [],
  );
}

/** The number of skipped files in text output; JSON output contains more. */
const maxSkippedShown = 5;

export function formatSkipped(skipped: z.output<typeof indexingShape.skipped> = []): string[] {
  if (skipped.length === 0) return [];
  const shown = skipped
    .slice(0, maxSkippedShown)
    .map(({ path, reason }) => `  ${toPrintable(path)}: ${reason}`);
  const rest = skipped.length - shown.length;
  const isCut = skipped.length === maxListItems;
  return [
    `Skipped ${pluralise(skipped.length, "file")}${isCut ? " or more" : ""}:`,
    ...shown,
    ...(rest > 0 ? [`  … and ${rest} more; --json lists them.`] : []),
  ];
}

type ChangeCounts = Record<"added" | "changed" | "removed", number>;

interface IndexingOutcome {
  partial?: boolean;
  skipped?: { path: string; reason: string }[];
  /** The changes found, if the scan is complete. */
  counts?: ChangeCounts;
}

/**
 * Indexes in the queue, one job at a time. If the call times out, it returns `partial`, and the job
 * continues in the background.
 */
export async function indexRoots(
  state: SearchState,
  roots: Root[],
  call: Call,
): Promise<IndexingOutcome> {
  const job = state.queue.run("index", () =>
    state.indexer.scan(roots, {
      isAnswered: true,
      onProgress: (done) => call.progress(done),
    }),
  );
  const timedOut = new Promise<undefined>((resolve) => {
    if (call.signal.aborted) resolve(undefined);
    call.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const result = await Promise.race([job, timedOut]);
  if (!result) return { partial: true };
  const { skipped, added, changed, moved, removed } = result;
  return {
    counts: { added, changed: changed + moved, removed },
    ...(skipped.length > 0 && { skipped: skipped.slice(0, maxListItems) }),
  };
}
