import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { listCap } from "../../../kernel/bounded.ts";
import type { Call } from "../../../kernel/call.ts";
import type { Root } from "../../../kernel/documents.ts";
import { pull } from "../../../kernel/git.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { visible } from "../../../text/visible.ts";
import type { SearchState } from "../state.ts";

const operation = operationsOn<SearchState>();

/** How the work ended, where not all of it is done. */
export const indexing = {
  partial: z.boolean().optional().describe("True where indexing goes on in the background"),
  skipped: z
    .array(z.object({ path: z.string(), reason: z.string() }))
    .optional()
    .describe("Files that could not be read as text"),
};

/** Given to a search as `minRevision`, it finds at least what this answer speaks of. */
export const revision = z.int().describe("The index with this change in it");

const updateCollections = operation({
  name: "update_collections",
  title: "Update all collections",
  summary: "Compare every collection with its folder and take in what changed.",
  input: z.object({
    pull: z.boolean().default(false).describe("First pull those that are in a git repository"),
    verify: z.boolean().default(false).describe("Compare the whole index with its checksums"),
  }),
  output: z.object({
    status: z.literal("updated"),
    collections: z.int(),
    revision,
    notPulled: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .optional()
      .describe("Collections whose pull failed; they are updated as they are"),
    repaired: z
      .array(z.string())
      .optional()
      .describe("What was damaged in the index, and was made again"),
    ...indexing,
  }),
  effect: "writes",
  network: true,
  expose: { http: "POST /update", cli: "update" },
  example: {},
  async run({ pull: isWanted, verify }, state, call) {
    const notPulled = isWanted ? await pullAll(state, call) : [];
    state.intake.forgetAllBut(state.roots);
    const repaired = await state.queue.run("verify", () => repair(state, verify));
    const ended = await indexed(state, shownRoots(state), call);
    const collections = Object.keys(state.config.read().collections).length;
    return {
      status: "updated" as const,
      collections,
      revision: state.revision(),
      ...(notPulled.length > 0 && { notPulled }),
      ...(repaired.length > 0 && { repaired: [...repaired] }),
      ...ended,
    };
  },
  present({ collections, notPulled = [], repaired = [], skipped }) {
    const problems = notPulled.map(({ name, reason }) => `Could not pull '${name}': ${reason}`);
    const updated = `Updated ${counted(collections, "collection")}`;
    const mended = repaired.map((what) => `Repaired ${what}`);
    return [text([updated, ...mended, ...problems, ...skippedLines(skipped)].join("\n"))];
  },
});

const indexCollections = operation({
  name: "index_collections",
  title: "Index all collections",
  summary: "Read every collection, take in new documents and update the known ones.",
  input: z.object({}),
  output: z.object({
    status: z.literal("indexed"),
    collections: z.int(),
    totalDocuments: z.int(),
    revision,
    ...indexing,
  }),
  effect: "writes",
  expose: { http: "POST /index", cli: "index" },
  example: {},
  async run(_input, state, call) {
    const ended = await indexed(state, shownRoots(state), call);
    const collections = Object.keys(state.config.read().collections).length;
    const totalDocuments = state.documents.count();
    const revision = state.revision();
    return { status: "indexed" as const, collections, totalDocuments, revision, ...ended };
  },
  present({ collections, totalDocuments, skipped }) {
    const number = `${counted(collections, "collection")}: ${counted(totalDocuments, "document")}`;
    return [text([`Indexed ${number}`, ...skippedLines(skipped)].join("\n"))];
  },
});

export const indexingOperations = [updateCollections, indexCollections];

/** What lies outside a force root is indexed by others, and no answer tells of it. */
const shownRoots = ({ roots, config }: SearchState): Root[] =>
  roots().filter(({ name }) => Object.hasOwn(config.read().collections, name));

/**
 * The index is everybody's, so damage is repaired in all of it; what lies outside a force root is
 * not told, not even by a number.
 */
async function repair(
  { repairDerived, intake, roots, settings }: SearchState,
  isWhole: boolean,
): Promise<readonly string[]> {
  const repaired = await repairDerived({ isWhole });
  if (repaired.length > 0) await intake.scan(roots());
  return settings.forceRoot === undefined ? repaired : [];
}

/** One after the other, in the queue: two pulls of one repository would stand in each other's way. */
async function pullAll({ boundary, config, queue }: SearchState, call: Call) {
  const failed: { name: string; reason: string }[] = [];
  for (const [name, { path }] of Object.entries(config.read().collections)) {
    const ended = await queue.run("pull", () => pull(path, boundary, call.signal));
    if (typeof ended === "object") failed.push({ name, reason: ended.problem });
  }
  return failed;
}

/** As many as fit under an answer; whoever wants them all asks for data. */
const mostShown = 5;

export function skippedLines(skipped: z.output<typeof indexing.skipped> = []): string[] {
  if (skipped.length === 0) return [];
  const shown = skipped
    .slice(0, mostShown)
    .map(({ path, reason }) => `  ${visible(path)}: ${reason}`);
  const rest = skipped.length - shown.length;
  const isCut = skipped.length === listCap;
  return [
    `Skipped ${counted(skipped.length, "file")}${isCut ? " or more" : ""}:`,
    ...shown,
    ...(rest > 0 ? [`  … and ${rest} more; --json tells of each.`] : []),
  ];
}

/**
 * Indexes in the queue, one job at a time. A call whose time is up is answered while the job goes
 * on: nothing is lost by it, and the next `status` shows how far it came.
 */
export async function indexed(state: SearchState, roots: Root[], call: Call) {
  const job = state.queue.run("index", () =>
    state.intake.scan(roots, { onProgress: (done) => call.progress(done) }),
  );
  const timeIsUp = new Promise<undefined>((resolve) => {
    if (call.signal.aborted) resolve(undefined);
    call.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const result = await Promise.race([job, timeIsUp]);
  if (!result) return { partial: true };
  const { skipped } = result;
  return skipped.length === 0 ? {} : { skipped: skipped.slice(0, listCap) };
}
