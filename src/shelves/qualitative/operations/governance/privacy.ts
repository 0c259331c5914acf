import * as z from "zod";
import { operationsFor } from "../../../../kernel/operation.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { sourceIdsRenamedForAgents } from "../../qda/storage-sources.ts";
import { requireSource, saveSourceExtras } from "../../sources/source.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId, rowIdInput } from "../inputs.ts";

const operation = operationsFor<QualitativeState>();

const setSourcePrivacy = operation({
  name: "set_source_privacy",
  title: "Make a source private",
  summary:
    "Hide a source and everything about it from agents, or with public show it again. Only a person does this.",
  input: z.object({
    source_id: rowIdInput.describe("Id of the source"),
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
    const project = state.requireProject();
    const { name } = requireSource(project.db, source_id);
    const { change_id } = await project.write(
      {
        call,
        operation: "set_source_privacy",
        summary: `Made source ${source_id} ${isPublic ? "public" : "private"}`,
      },
      (context) => {
        saveSourceExtras(context, source_id, { private: isPublic ? null : 1 });
        const renamed = isPublic ? sourceIdsRenamedForAgents(context.db, name) : [];
        for (const id of renamed) saveSourceExtras(context, id, { agent_name: null });
        return {};
      },
    );
    call.announce({ topic: "source.changed", about: String(source_id) });
    await state.whenIndexed();
    return { source_id, private: !isPublic, change_id };
  },
  present: ({ source_id, private: isPrivate }) => [
    textBlock(`Source ${source_id} is ${isPrivate ? "private" : "public"} now.`),
  ],
});

export const privacyOperations = [setSourcePrivacy];
