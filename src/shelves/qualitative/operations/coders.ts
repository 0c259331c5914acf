import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { Failure } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { agentNames, type KnownCoders, unnamedCoder } from "../coder.ts";
import { allCoders, codersIn, listedAgents } from "../qda/storage-coders.ts";
import { columnsOf, hasTable, projectNumber, projectRow } from "../qda/storage-project.ts";
import type { QualitativeState } from "../state.ts";
import { changeId } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

export const listCoders = operation({
  name: "list_coders",
  title: "List coders",
  summary:
    "Who has coded in the project, how much, who is hidden, and in whose name a person codes.",
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
    const { db } = state.needed();
    const codername = projectRow(db)?.codername;
    const agents = agentNames(listedAgents(db), codername);
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
    text(
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
  summary:
    "Show or hide what a coder has coded, or say that it is you who codes in this name. Only a person does this.",
  input: z.object({
    name: z.string().min(1).max(200).describe("Name of the coder"),
    hidden: z.boolean().optional().describe("Leave out what this coder has coded"),
    is_me: z.boolean().default(false).describe("From now on you code in this name"),
  }),
  output: z.object({ name: z.string(), hidden: z.boolean(), change_id: changeId }),
  effect: "decides",
  expose: { http: "PUT /qualitative/coders/{name}", cli: "project coder <name>" },
  example: { name: "AI Agent", hidden: true },
  run({ name, hidden, is_me }, state, call) {
    const project = state.needed();
    const saved = project.write(
      { call, operation: "save_coder", summary: `Set coder '${name}'` },
      ({ pen, db }) => {
        // Whoever only takes a name needs no list, in which others could be hidden.
        const hasList = hasTable(db, "coder_names");
        if (!is_me || hidden) refuseOld(hasList);
        if (hidden !== undefined && !is_me) refuseUnknown(name, codersIn(db));
        if (is_me) {
          refuseOld(columnsOf(db, "project").includes("codername"));
          pen.update("project", projectNumber(db) ?? 0, { codername: name });
        }
        const known = allCoders(db).find((coder) => coder.name === name);
        const isHidden = hidden ?? known?.isHidden === 1;
        const row = { name, visibility: isHidden ? 0 : 1 };
        if (hasList && known && known.id > 0) pen.update("coder_names", known.id, row);
        else if (hasList) pen.insert("coder_names", row);
        return { hidden: isHidden };
      },
    );
    call.announce({ topic: "segments.changed" });
    return { name, ...saved };
  },
  present: ({ name, hidden }, { is_me }) => [
    text(
      [
        ...(is_me ? [`From now on you code as ${name}.`] : []),
        ...(is_me && !hidden ? [] : [`${name} is ${hidden ? "hidden" : "shown"}.`]),
      ].join(" "),
    ),
  ],
});

function refuseOld(hasList: boolean): void {
  if (hasList) return;
  throw new Failure("conflict", "OLD_PROJECT", "This project is too old for a list of coders.", {
    hints: ["Open it once in QualCoder 4.0 or later."],
  });
}

function refuseUnknown(name: string, { codername, everybody }: KnownCoders): void {
  const names = new Set([codername || unnamedCoder, ...everybody()]);
  if (names.has(name)) return;
  throw new Failure("not-found", "CODER_NOT_FOUND", `Nobody codes as '${name}' here.`, {
    hints: [`The project knows: ${[...names].sort().join(", ")}.`],
  });
}

export const coderOperations = [listCoders, saveCoder];
