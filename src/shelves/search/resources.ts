import { Failure } from "../../kernel/failure.ts";
import type { ResourceFamily } from "../../kernel/resource.ts";
import { lookUp, lookUpSoon } from "./lookup.ts";
import { contentOf } from "./operations/retrieval.ts";
import type { SearchState } from "./state.ts";
import { fileOf, uriOf } from "./uri.ts";

/** Documents as resources. They are found by searching, and listed only on request: there may be a million. */
export const documentFamily: ResourceFamily<SearchState> = {
  name: "document",
  title: "QMD Document",
  description:
    "A markdown document from your QMD knowledge base. Use search tools to discover documents.",
  mimeType: "text/markdown",
  uri: "qmd://{+path}",

  list: ({ settings, documents }) =>
    settings.listDocuments
      ? documents
          .paths()
          .map((file) => ({ uri: uriOf(file), name: file, mimeType: "text/markdown" }))
      : [],

  async read(uri, state, call) {
    if (fileOf(uri) === undefined) throw missing();
    try {
      const found = await lookUpSoon(state, uri, call);
      return [{ ...contentOf(state, found, { first: 1, lineNumbers: true }), uri }];
    } catch (error) {
      // One text for malformed, outside and missing: nobody learns what lies elsewhere.
      if (error instanceof Failure && !isOurs(error)) throw missing();
      throw error;
    }
  },

  canonical(uri, state) {
    try {
      const { root, path } = lookUp(state, uri).document;
      return uriOf(`${root}/${path}`);
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  },

  /** Completes a path by its next segment, as a shell does. */
  complete(_variable, typed, { documents }) {
    const start = typed.toLowerCase();
    const names = documents.paths().filter((file) => file.toLowerCase().startsWith(start));
    const steps = names.map((file) => {
      const slash = file.indexOf("/", typed.length);
      return slash < 0 ? file : file.slice(0, slash + 1);
    });
    return [...new Set(steps)].map((value) => ({ value, label: uriOf(value) }));
  },
};

/** A fault of ours, or a document whose collection is only being read. */
const isOurs = ({ kind }: Failure): boolean => kind === "internal" || kind === "unavailable";

const missing = (): Failure => new Failure("not-found", "not-found", "Resource not found");
