import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { pressButton } from "../button-keys.ts";
import { closeReader, openReader } from "../focus.ts";
import { NotOpened } from "./not-opened.tsx";
import { changedAt, openDocument } from "./open-document.ts";
import { shown } from "./shown.ts";

/** What draws a document is loaded with the first one, so that the page itself stays small. */
const drawing = signal<{ Text: ComponentType; Tools: ComponentType } | undefined>(undefined);
const isLost = signal(false);

/** The document beside the list: opened at the line that was found, or only looked at. */
export function Reader() {
  useEffect(() => {
    Promise.all([import("./text.tsx"), import("./tools.tsx")]).then(
      ([{ Text }, { Tools }]) => {
        drawing.value = { Text, Tools };
      },
      () => {
        isLost.value = true;
      },
    );
    const listen = (event: KeyboardEvent) => pressButton(event, ".reader");
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  const place = shown.value;
  if (!place) return null;
  const { file, isPreview } = place;
  const document = openDocument.value;
  const title = document?.title ?? file;
  const { Text, Tools } = drawing.value ?? {};
  const inner = (
    <>
      <header>
        <div>
          {document && <h2>{document.title}</h2>}
          <p class="file">{file}</p>
          <p class="changed" role="status">
            {changedAt.value}
          </p>
        </div>
        <div class="tools">
          {isPreview ? (
            <button type="button" class="quiet" onClick={() => openReader(place)}>
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
      <NotOpened />
      {isLost.value && <p class="notice">The reader could not be loaded. Load the page anew.</p>}
      {document && Text && <Text />}
    </>
  );
  return isPreview ? (
    <aside class="reader preview" aria-label={`Preview: ${title}`}>
      {inner}
    </aside>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
    <section class="reader" tabIndex={0} aria-label={title}>
      {inner}
    </section>
  );
}
