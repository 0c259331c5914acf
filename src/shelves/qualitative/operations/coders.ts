import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { Failure } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { agentNames, unnamedCoder } from "../coder.ts";
import { allCoders, projectNumber } from "../qda/storage-journals.ts";
import { columnsOf, listedAgents, projectRow } from "../qda/storage-project.ts";
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
        .join("\n"),
    ),
  ],
});

const saveCoder = operation({
  name: "save_coder",
  title: "Set a coder",
  summary:
    "Show or hide what a coder has coded, or say that it is you who codes in this name. Only a person does this.",
  input: z.object({
    name: z.string().min(1).max(200),
    hidden: z.boolean().optional(),
    is_me: z.boolean().default(false).describe("From now on you code in this name"),
  }),
  output: z.object({ name: z.string(), hidden: z.boolean(), change_id: changeId }),
  effect: "decides",
  expose: { http: "PUT /qualitative/coders/{name}", cli: "project coder <name>" },
  example: { name: "Kim", hidden: true },
  run({ name, hidden, is_me }, state, call) {
    const project = state.needed();
    const saved = project.write(
      { call, operation: "save_coder", summary: `Set coder '${name}'` },
      ({ pen, db }) => {
        const known = allCoders(db).find((coder) => coder.name === name);
        const isHidden = hidden ?? known?.isHidden === 1;
        refuseOld(columnsOf(db, "coder_names").length > 0);
        const row = { name, visibility: isHidden ? 0 : 1 };
        if (known && known.id > 0) pen.update("coder_names", known.id, row);
        else pen.insert("coder_names", row);
        const number = projectNumber(db);
        if (is_me && number !== undefined) pen.update("project", number, { codername: name });
        return { hidden: isHidden };
      },
    );
    call.announce({ topic: "segments.changed" });
    return { name, ...saved };
  },
  present: ({ name, hidden }) => [text(`${name} is ${hidden ? "hidden" : "shown"}.`)],
});

function refuseOld(hasList: boolean): void {
  if (hasList) return;
  throw new Failure("conflict", "OLD_PROJECT", "This project is too old for a list of coders.", {
    hints: ["Open it once in a QualCoder of version 3.6 or later."],
  });
}

export const coderOperations = [listCoders, saveCoder];
