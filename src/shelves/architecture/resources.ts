import { notFound } from "../../kernel/failure.ts";
import type { ResourceFamily } from "../../kernel/resource.ts";
import { completedCategories, completedNames } from "./completions.ts";
import { describe, nounOf } from "./document.ts";
import { addressed } from "./document-set.ts";
import type { ArchitectureState } from "./state.ts";

const mimeType = "text/markdown";

/** Guidelines, patterns and decisions, whole or by section. */
export const documentFamily: ResourceFamily<ArchitectureState> = {
  name: "architecture",
  title: "Architecture document",
  description:
    "A guideline, pattern or decision record. A heading's anchor after # gives its section alone.",
  mimeType,
  uri: "architecture://{category}/{+name}",

  async list({ knowledge }) {
    const { all, records } = await knowledge.now();
    const statuses = new Map(records.all.map(({ file, status }) => [file, status]));
    return all.map((document) => {
      const { uri, title: name, size, modified: lastModified, category, checksum } = document;
      const status = statuses.get(document.file);
      return {
        uri,
        name,
        description: describe(document),
        mimeType,
        size,
        lastModified,
        meta: {
          category: nounOf[category],
          lastModified,
          size: String(size),
          checksum,
          ...(status && { status }),
        },
      };
    });
  },

  async read(uri, { knowledge }) {
    const found = addressed(await knowledge.now(), uri);
    // One text for malformed, outside and missing: nobody learns what lies elsewhere.
    if (!found) throw notFound("Resource not found");
    return [{ uri, mimeType, text: found.text }];
  },

  async canonical(uri, { knowledge }) {
    const found = addressed(await knowledge.now(), uri);
    // Who wants to hear of a section hears of its document.
    return found?.document.uri;
  },

  async complete(variable, typed, { knowledge }, { category }) {
    if (variable === "category") return completedCategories(typed);
    if (variable !== "name") return [];
    return completedNames(await knowledge.now(), typed, category);
  },
};
