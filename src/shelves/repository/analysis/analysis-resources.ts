import { basename } from "node:path";
import { notFound } from "../../../kernel/failure.ts";
import type { ResourceFamily } from "../../../kernel/operations/resource.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import type { RepositoryState } from "../state.ts";

const uriPrefix = "documcp://analysis/";
const mimeType = "application/json";

export const analysisUri = (id: string): string => uriPrefix + id;

/** Every stored analysis in full; a tool result truncates long lists. */
export const analysisResources: ResourceFamily<RepositoryState> = {
  name: "repository-analysis",
  title: "Analysis of a repository",
  description: "What analyze_repository found, with nothing left out.",
  mimeType,
  uri: `${uriPrefix}{id}`,

  async list({ analyses, store }) {
    const stored = await store.run(analyses.list());
    return stored.map(({ id, root }) => ({
      uri: analysisUri(id),
      name: id,
      title: `Analysis of ${toPrintable(basename(root))}`,
      mimeType,
    }));
  },

  async read(uri, { analyses, store }) {
    const stored = await store.run(analyses.find(uri.slice(uriPrefix.length)));
    if (!stored) throw notFound("Resource not found");
    return [{ uri, mimeType, text: JSON.stringify(stored.analysis) }];
  },

  async complete(variable, typed, { analyses, store }) {
    const stored = variable === "id" ? await store.run(analyses.list()) : [];
    return stored
      .filter(({ id }) => id.startsWith(typed))
      .map(({ id, root }) => ({ value: id, description: toPrintable(basename(root)) }));
  },
};
