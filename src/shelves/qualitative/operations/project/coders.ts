import * as z from "zod";
import { Failure } from "../../../../kernel/failure.ts";
import { operationsFor } from "../../../../kernel/operation.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { agentNamesAmong, type KnownCoders, unnamedCoder } from "../../project/coder.ts";
import { allCoders, allListedAgents, knownCodersOf } from "../../qda/storage-coders.ts";
import { hasTable, projectRow, projectRowId, tableColumns } from "../../qda/storage-project.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId } from "../inputs.ts";

const operation = operationsFor<QualitativeState>();

export const listCoders = operation({
  name: "list_coders",
  title: "List coders",
  summary:
    "The coders of the project, with their number of codings, who is hidden, and the current person.",
  input: z.object({}),
  output: z.object({
    current: z.string(),
    coders: z.array(
      z.object({
        name: z.string(),
        agent: z.boolean(),
        hidden: z.boolean(),
        segment_count: z.int(),
      }),
    ),
  }),
  effect: "reads",
  expose: { http: "GET /qualitative/coders", cli: "project coders" },
  example: {},
  run(_input, state) {
    const { db } = state.requireProject();
    const codername = projectRow(db)?.codername;
    const agents = agentNamesAmong(allListedAgents(db), codername);
    return {
      current: codername || unnamedCoder,
      coders: allCoders(db).map(({ name, isHidden, codings }) => ({
        name,
        agent: agents.has(name),
        hidden: isHidden === 1,
        segment_count: codings,
      })),
    };
  },
  present: ({ coders, current }) => [
    textBlock(
      coders
        .map(({ name, hidden, segment_count }) => {
          const marks = [...(name === current ? ["you"] : []), ...(hidden ? ["hidden"] : [])];
          return `${name}  ${segment_count}${marks.length > 0 ? `  (${marks.join(", ")})` : ""}`;
        })
        .join("\n") || `${current}  0  (you)`,
    ),
  ],
});

const saveCoder = operation({
  name: "save_coder",
  title: "Set a coder",
  summary: "Show or hide a coder's codings, or set your own coder name. Only a person does this.",
  input: z.object({
    name: z.string().min(1).max(200).describe("Name of the coder"),
    hidden: z.boolean().optional().describe("Hide this coder's codings"),
    is_me: z.boolean().default(false).describe("Code under this name from now on"),
  }),
  output: z.object({ name: z.string(), hidden: z.boolean(), change_id: changeId }),
  effect: "decides",
  expose: { http: "PUT /qualitative/coders/{name}", cli: "project coder <name>" },
  example: { name: "AI Agent", hidden: true },
  async run({ name, hidden, is_me }, state, call) {
    const project = state.requireProject();
    const saved = await project.write(
      { call, operation: "save_coder", summary: `Set coder '${name}'` },
      ({ writer, db }) => {
        // `is_me` alone works without the list of coders, which older projects do not have.
        const hasList = hasTable(db, "coder_names");
        if (!is_me || hidden) assertNotOldProject(hasList);
        if (hidden !== undefined && !is_me) assertKnownCoder(name, knownCodersOf(db));
        if (is_me) {
          assertNotOldProject(tableColumns(db, "project").includes("codername"));
          writer.update("project", projectRowId(db) ?? 0, { codername: name });
        }
        const known = allCoders(db).find((coder) => coder.name === name);
        const isHidden = hidden ?? known?.isHidden === 1;
        const row = { name, visibility: isHidden ? 0 : 1 };
        if (hasList && known && known.id > 0) writer.update("coder_names", known.id, row);
        else if (hasList) writer.insert("coder_names", row);
        return { hidden: isHidden };
      },
    );
    call.announce({ topic: "segments.changed" });
    return { name, ...saved };
  },
  present: ({ name, hidden }, { is_me }) => [
    textBlock(
      [
        ...(is_me ? [`You now code as ${name}.`] : []),
        ...(is_me && !hidden ? [] : [`${name} is ${hidden ? "hidden" : "shown"}.`]),
      ].join(" "),
    ),
  ],
});

function assertNotOldProject(hasList: boolean): void {
  if (hasList) return;
  throw new Failure("conflict", "OLD_PROJECT", "This project is too old for a list of coders.", {
    hints: ["Open it once in QualCoder 4.0 or later."],
  });
}

function assertKnownCoder(name: string, { codername, allNames }: KnownCoders): void {
  const names = new Set([codername || unnamedCoder, ...allNames()]);
  if (names.has(name)) return;
  throw new Failure("not-found", "CODER_NOT_FOUND", `Coder not found: ${name}.`, {
    hints: [`Known coders: ${[...names].sort().join(", ")}.`],
  });
}

export const coderOperations = [listCoders, saveCoder];
