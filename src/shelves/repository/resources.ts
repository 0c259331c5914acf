import { basename } from "node:path";
import { notFound } from "../../kernel/failure.ts";
import type { ResourceFamily } from "../../kernel/resource.ts";
import { visible } from "../../text/visible.ts";
import type { RepositoryState } from "./state.ts";

const scheme = "documcp://analysis/";
const mimeType = "application/json";

export const analysisUri = (id: string): string => scheme + id;

/** Every analysis that is kept, whole: an answer holds only the beginnings of its long lists. */
export const analysisFamily: ResourceFamily<RepositoryState> = {
  name: "repository-analysis",
  title: "Analysis of a repository",
  description: "What analyze_repository found, with nothing left out.",
  mimeType,
  uri: `${scheme}{id}`,

  list: ({ analyses }) =>
    analyses.all().map(({ id, root }) => ({
      uri: analysisUri(id),
      name: id,
      title: `Analysis of ${visible(basename(root))}`,
      mimeType,
    })),

  read(uri, { analyses }) {
    const found = analyses.find(uri.slice(scheme.length));
    if (!found) throw notFound("Resource not found");
    return [{ uri, mimeType, text: JSON.stringify(found.analysis) }];
  },

  complete: (variable, typed, { analyses }) =>
    variable === "id"
      ? analyses
          .all()
          .filter(({ id }) => id.startsWith(typed))
          .map(({ id, root }) => ({ value: id, description: visible(basename(root)) }))
      : [],
};
