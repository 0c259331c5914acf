import * as z from "zod";
import { invalid } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { visible } from "../../../text/visible.ts";
import { about } from "../face.ts";
import { reasonsShape } from "../proposing.ts";
import { noteBeside, sourceById } from "../source.ts";
import type { QualitativeState } from "../state.ts";
import { Subject, subjectNamed } from "../subject.ts";
import { changeId, idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

const metadata = {
  language: z.string().min(1).max(100).optional(),
  topics: z.array(z.string().min(1).max(200)).max(100).optional(),
  organization_suggestion: z.string().min(1).max(2_000).optional().describe("How to file it"),
};

const suggestSourceMetadata = operation({
  name: "suggest_source_metadata",
  title: "Suggest metadata",
  summary: "Suggest a source's language, topics or filing. It waits until the researcher decides.",
  input: z.object({ source_id: idInput, ...metadata, ...reasonsShape }),
  output: z.object({
    source_id: z.int(),
    source_name: z.string(),
    suggested: z.object(metadata),
    status: z.string(),
    requires_approval: z.boolean(),
    proposal_id: z.int(),
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { source_id: 1, language: "en", topics: ["work"] },
  run({ source_id, rationale, confidence, ...suggested }, state, call) {
    const project = state.needed();
    const { name } = sourceById(project.db, source_id);
    const lines = Object.entries(suggested).filter(([, value]) => value !== undefined);
    if (lines.length === 0) throw invalid("Give language, topics or organization_suggestion.");
    const { id } = state.proposals.propose(
      {
        shelf: "qualitative",
        operation: "set_source_metadata",
        input: {
          project: project.path,
          source_id,
          ...suggested,
          subject: subjectNamed(project.db, "source", source_id),
        },
        project: { root: project.path, name: project.name },
        summary: `Set metadata of source ${source_id} (${project.name})`,
        isDiscreet: true,
        preview: [
          ...lines.map(([key, value]) => `${key}: ${[value].flat().join(", ")}`),
          `source ${source_id}: '${visible(name)}'`,
        ].join("\n"),
        ...(rationale !== undefined && { rationale }),
        ...(confidence !== undefined && { confidence }),
      },
      call,
    );
    return {
      source_id,
      source_name: name,
      suggested,
      status: "pending_approval",
      requires_approval: true,
      proposal_id: id,
    };
  },
});

/** What an accepted suggestion performs, in whatever process a person says yes. On no surface. */
const setSourceMetadata = operation({
  name: "set_source_metadata",
  title: "Set metadata",
  summary: "Set a source's language, topics or filing in a project that need not be open.",
  input: z.object({
    project: z.string(),
    source_id: idInput,
    ...metadata,
    subject: Subject.optional(),
  }),
  output: z.object({ source_id: z.int(), change_id: changeId }),
  effect: "writes",
  expose: {},
  example: { project: "interviews.qda", source_id: 1, language: "en" },
  run({ project: path, source_id, subject, ...suggested }, state, call) {
    const { language, topics, organization_suggestion } = suggested;
    return state.within(path, (held) => {
      const project = subject ? about(subject)(held) : held;
      sourceById(project.db, source_id);
      const summary = `Set metadata of source ${source_id}`;
      const { change_id } = project.write(
        { call, operation: "set_source_metadata", summary },
        (hand) => {
          noteBeside(hand, source_id, {
            ...(language !== undefined && { language }),
            ...(topics !== undefined && { topics: JSON.stringify(topics) }),
            ...(organization_suggestion !== undefined && { organization: organization_suggestion }),
          });
          return {};
        },
      );
      call.announce({ topic: "source.changed", about: String(source_id) });
      return { source_id, change_id };
    });
  },
});

export const suggestionOperations = [suggestSourceMetadata, setSourceMetadata];
