import { notFound } from "../../../kernel/failure.ts";
import type { ResourceFamily } from "../../../kernel/operations/resource.ts";
import type { ArchitectureState } from "../state.ts";
import { completeCategories, completeNames } from "./completions.ts";
import { categoryNouns, describeDocument } from "./document.ts";
import { resolveAddress } from "./document-set.ts";

const mimeType = "text/markdown";

/** Guidelines, patterns and decisions, whole or by section. */
export const architectureDocumentFamily: ResourceFamily<ArchitectureState> = {
  name: "architecture",
  title: "Architecture document",
  description:
    "A guideline, pattern or decision record. A heading's anchor after # gives its section alone.",
  mimeType,
  uri: "architecture://{category}/{+name}",

  async list({ knowledge }) {
    const { all, records } = await knowledge.read();
    const statuses = new Map(records.all.map(({ file, status }) => [file, status]));
    return all.map((document) => {
      const { uri, title: name, size, modified: lastModified, category, checksum } = document;
      const status = statuses.get(document.file);
      return {
        uri,
        name,
        description: describeDocument(document),
        mimeType,
        size,
        lastModified,
        meta: {
          category: categoryNouns[category],
          lastModified,
          size: String(size),
          checksum,
          ...(status && { status }),
        },
      };
    });
  },

  async read(uri, { knowledge }) {
    const resource = resolveAddress(await knowledge.read(), uri);
    // The same message for malformed, outside and missing addresses, so that it reveals nothing
    // about other files.
    if (!resource) throw notFound("Resource not found");
    return [{ uri, mimeType, text: resource.text }];
  },

  async canonical(uri, { knowledge }) {
    const resource = resolveAddress(await knowledge.read(), uri);
    // A subscription to a section is one to its document.
    return resource?.document.uri;
  },

  async complete(variable, typed, { knowledge }, { category }) {
    if (variable === "category") return completeCategories(typed);
    if (variable !== "name") return [];
    return completeNames(await knowledge.read(), typed, category);
  },
};
