import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { namedForAgents } from "../qda/storage-sources.ts";
import { noteBeside, sourceById } from "../source.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

const setSourcePrivacy = operation({
  name: "set_source_privacy",
  title: "Make a source private",
  summary:
    "Keep a source and all that belongs to it from every agent, or with public show it again. Only a person does this.",
  input: z.object({
    source_id: idInput.describe("Number of the source"),
    public: z.boolean().default(false).describe("Show it to agents again"),
  }),
  output: z.object({ source_id: z.int(), private: z.boolean(), change_id: changeId }),
  effect: "decides",
  expose: {
    http: "PUT /qualitative/sources/{source_id}/privacy",
    cli: "project private <source_id>",
  },
  example: { source_id: 1 },
  async run({ source_id, public: isPublic }, state, call) {
    const project = state.needed();
    const { name } = sourceById(project.db, source_id);
    const { change_id } = project.write(
      {
        call,
        operation: "set_source_privacy",
        summary: `Made source ${source_id} ${isPublic ? "public" : "private"}`,
      },
      (hand) => {
        noteBeside(hand, source_id, { private: isPublic ? null : 1 });
        const renamed = isPublic ? namedForAgents(hand.db, name) : [];
        for (const id of renamed) noteBeside(hand, id, { agent_name: null });
        return {};
      },
    );
    call.announce({ topic: "source.changed", about: String(source_id) });
    await state.indexed();
    return { source_id, private: !isPublic, change_id };
  },
  present: ({ source_id, private: isPrivate }) => [
    text(`Source ${source_id} is ${isPrivate ? "private" : "public"} now.`),
  ],
});

export const privacyOperations = [setSourcePrivacy];
