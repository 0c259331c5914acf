import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { addressWith } from "../app/address.ts";
import { Link } from "../components/link.tsx";
import { useButtonShortcuts } from "../keyboard/button-shortcuts.ts";
import { closeReader, openReader } from "../keyboard/focus.ts";
import { documentChangeNotice, documentFailure, openDocument } from "./open-document.ts";
import { readerTarget } from "./reader-target.ts";

/** A separate chunk, loaded with the first document to keep the main bundle small. */
const components = signal<{ Text: ComponentType; Tools: ComponentType } | undefined>(undefined);
const hasLoadFailed = signal(false);

/** The pane with the open document, or with the preview of a search result. */
export function Reader() {
  useEffect(() => {
    Promise.all([import("./reader-text.tsx"), import("./reader-toolbar.tsx")]).then(
      ([{ ReaderText }, { ReaderToolbar }]) => {
        components.value = { Text: ReaderText, Tools: ReaderToolbar };
      },
      () => {
        hasLoadFailed.value = true;
      },
    );
  }, []);
  useButtonShortcuts(".reader");
  const target = readerTarget.value;
  if (!target) return null;
  const { file, isPreview } = target;
  const document = openDocument.value;
  const title = document?.title ?? file;
  const { Text, Tools } = components.value ?? {};
  const inner = (
    <>
      <header>
        <div>
          {document && <h2>{document.title}</h2>}
          <p class="file">{file}</p>
          <p class="changed" role="status">
            {documentChangeNotice.value}
          </p>
        </div>
        <div class="tools">
          {isPreview ? (
            <button type="button" class="quiet" onClick={() => openReader(target)}>
              Open
            </button>
          ) : (
            <>
              {document && Tools && <Tools />}
              <button type="button" class="quiet" onClick={closeReader}>
                Close
              </button>
            </>
          )}
        </div>
      </header>
      <OpenFailure />
      {hasLoadFailed.value && (
        <p class="notice">The reader could not be loaded. Reload the page.</p>
      )}
      {document && Text && <Text />}
    </>
  );
  return isPreview ? (
    <aside class="reader preview" aria-label={`Preview: ${title}`}>
      {inner}
    </aside>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs keyboard access
    <section class="reader" tabIndex={0} aria-label={title}>
      {inner}
    </section>
  );
}

/** The error of a document that could not be opened, with links to the suggested documents. */
function OpenFailure() {
  const lines = (documentFailure.value ?? "").split("\n");
  const suggestions = lines.flatMap((line) => /^ {2}- (.+)$/.exec(line)?.[1] ?? []);
  const message = lines.filter((line) => !line.startsWith("  - ")).join("\n");
  if (message === "") return null;
  return (
    <div class="notice">
      <p>{message}</p>
      <ul>
        {suggestions.map((file) => (
          <li key={file}>
            <Link to={addressWith({ file, line: 1 })}>{file}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
