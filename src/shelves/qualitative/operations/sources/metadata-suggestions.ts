import * as z from "zod";
import { invalid } from "../../../../kernel/failure.ts";
import { operationsFor } from "../../../../kernel/operation.ts";
import { toPrintable } from "../../../../text/strings/printable.ts";
import { writeOperation } from "../../governance/planned-write.ts";
import { hidingPrivateSources } from "../../governance/private-notices.ts";
import { ProposalSubject, subjectOfRow } from "../../governance/proposal-subject.ts";
import { reasonsInput } from "../../governance/proposals.ts";
import { boundToSubject } from "../../project/project-view.ts";
import { requireSource, saveSourceExtras } from "../../sources/source.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId, rowIdInput } from "../inputs.ts";

const operation = operationsFor<QualitativeState>();

const metadataInput = {
  language: z.string().min(1).max(100).optional(),
  topics: z.array(z.string().min(1).max(200)).max(100).optional(),
  organization_suggestion: z.string().min(1).max(2_000).optional().describe("How to file it"),
};

const suggestSourceMetadata = writeOperation({
  name: "suggest_source_metadata",
  title: "Suggest metadata",
  summary: "Suggest a source's language, topics or filing. It waits until the researcher decides.",
  input: z.object({ source_id: rowIdInput, ...metadataInput, ...reasonsInput }),
  output: z.object({
    source_id: z.int(),
    source_name: z.string(),
    suggested: z.object(metadataInput),
    status: z.string(),
    requires_approval: z.boolean(),
    proposal_id: z.int(),
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { source_id: 1, language: "en", topics: ["work"] },
  /** Stores a proposal itself, so there is no write left to plan. */
  async plan({ source_id, rationale, confidence, ...suggested }, state, call) {
    const project = state.requireProject();
    const { name } = requireSource(project.db, source_id);
    const lines = Object.entries(suggested).filter(([, value]) => value !== undefined);
    if (lines.length === 0) throw invalid("Give language, topics or organization_suggestion.");
    const draft = {
      shelf: "qualitative",
      operation: "set_source_metadata",
      input: {
        project: project.path,
        source_id,
        ...suggested,
        subject: subjectOfRow(project.db, "source", source_id),
      },
      project: { root: project.path, name: project.name },
      summary: `Set metadata of source ${source_id} (${project.name})`,
      isDiscreet: true,
      preview: [
        ...lines.map(([key, value]) => `${key}: ${[value].flat().join(", ")}`),
        `source ${source_id}: '${toPrintable(name)}'`,
      ].join("\n"),
      ...(rationale !== undefined && { rationale }),
      ...(confidence !== undefined && { confidence }),
    };
    const { id } = await state.store.run(state.proposals.propose(draft, call));
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

/**
 * Performs an accepted suggestion, in the process of the person who accepts it. Not exposed on any
 * surface.
 */
const setSourceMetadata = operation({
  name: "set_source_metadata",
  title: "Set metadata",
  summary: "Set a source's language, topics or filing, in a project that need not be open.",
  input: z.object({
    project: z.string(),
    source_id: rowIdInput,
    ...metadataInput,
    subject: ProposalSubject.optional(),
  }),
  output: z.object({ source_id: z.int(), change_id: changeId }),
  effect: "writes",
  expose: {},
  example: { project: "interviews.qda", source_id: 1, language: "en" },
  run({ project: path, source_id, subject, ...suggested }, state, call) {
    const { language, topics, organization_suggestion } = suggested;
    return state.withProject(path, async (opened) => {
      const project = subject ? boundToSubject(subject)(opened) : opened;
      requireSource(project.db, source_id);
      const summary = `Set metadata of source ${source_id}`;
      const { change_id } = await project.write(
        { call, operation: "set_source_metadata", summary },
        (context) => {
          saveSourceExtras(context, source_id, {
            ...(language !== undefined && { language }),
            ...(topics !== undefined && { topics: JSON.stringify(topics) }),
            ...(organization_suggestion !== undefined && { organization: organization_suggestion }),
          });
          return {};
        },
      );
      const announcing = hidingPrivateSources(call, () => project);
      announcing.announce({ topic: "source.changed", about: String(source_id) });
      return { source_id, change_id };
    });
  },
});

export const suggestionOperations = [suggestSourceMetadata, setSourceMetadata];
