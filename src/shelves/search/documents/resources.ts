import { Failure } from "../../../kernel/failure.ts";
import type { ResourceFamily } from "../../../kernel/operations/resource.ts";
import { readPart } from "../operations/get.ts";
import type { SearchState } from "../state.ts";
import { documentUri, parseDocumentUri } from "./document-uri.ts";
import { lookUpDocument, lookUpWhenScanned } from "./lookup.ts";

/** Documents as resources. They are listed only on request, because there may be a million. */
export const searchDocumentFamily: ResourceFamily<SearchState> = {
  name: "document",
  title: "QMD Document",
  description:
    "A markdown document from your QMD knowledge base. Use search tools to discover documents.",
  mimeType: "text/markdown",
  uri: "qmd://{+path}",

  async list({ settings, documents, store }) {
    const files = settings.listDocuments ? await store.run(documents.paths()) : [];
    return files.map((file) => ({ uri: documentUri(file), name: file, mimeType: "text/markdown" }));
  },

  async read(uri, state, call) {
    if (parseDocumentUri(uri) === undefined) throw resourceNotFound();
    try {
      const found = await lookUpWhenScanned(state, uri, call);
      const { content } = await state.store.run(
        readPart(state, found, { first: 1, lineNumbers: true }),
      );
      return [{ ...content, uri }];
    } catch (error) {
      // The same error for malformed, outside and missing, so that it does not reveal which files exist.
      if (error instanceof Failure && !isInternalOrPending(error)) throw resourceNotFound();
      throw error;
    }
  },

  async canonical(uri, state) {
    try {
      const { document } = await state.store.run(lookUpDocument(state, uri));
      const { root, path } = document;
      return documentUri(`${root}/${path}`);
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  },

  /** Completes a path by its next segment, as a shell does. */
  async complete(_variable, typed, { documents, store }) {
    const start = typed.toLowerCase();
    const files = await store.run(documents.paths());
    const names = files.filter((file) => file.toLowerCase().startsWith(start));
    const steps = names.map((file) => {
      const slash = file.indexOf("/", typed.length);
      return slash < 0 ? file : file.slice(0, slash + 1);
    });
    return [...new Set(steps)].map((value) => ({ value, label: documentUri(value) }));
  },
};

/** An internal error, or a collection whose initial scan is not complete. */
const isInternalOrPending = ({ kind }: Failure): boolean =>
  kind === "internal" || kind === "unavailable";

const resourceNotFound = (): Failure => new Failure("not-found", "not-found", "Resource not found");
