import { useEffect, useRef } from "preact/hooks";
import { address, go, hrefOf } from "../address.ts";
import { closeReader } from "../focus.ts";
import { wanted } from "../search/hits.ts";
import { Marked } from "../search/marked.tsx";
import type { OpenDocument } from "./document.ts";
import { changedAt, openDocument, openingFailure } from "./open-document.ts";

/** The open document beside the list, at the line that was found. */
export function Reader() {
  const pane = useRef<HTMLElement>(null);
  const { file, line } = address.value;
  const document = openDocument.value;
  const firstLine = document?.lines[0]?.number;

  // A document that changes while it is read stays where it was scrolled to.
  useEffect(() => {
    if (pane.current && firstLine) showLine(pane.current, line);
  }, [file, line, firstLine]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
    <section class="reader" ref={pane} tabIndex={0} aria-label={document?.title ?? file}>
      <header>
        <div>
          {document && <h2>{document.title}</h2>}
          <p class="file">{file}</p>
          <p class="changed" role="status">
            {changedAt.value}
          </p>
        </div>
        <button type="button" class="quiet" onClick={closeReader}>
          Close
        </button>
      </header>
      {openingFailure.value && <p class="notice">{openingFailure.value}</p>}
      {document && <Page document={document} line={line} />}
    </section>
  );
}

/** Beside the list the pane scrolls, and the list must not; alone on a narrow screen, the page. */
function showLine(pane: HTMLElement, line: number): void {
  const target = pane.querySelector<HTMLElement>("[aria-current]");
  if (!target) return;
  if (getComputedStyle(pane).overflowY === "auto") {
    pane.scrollTop = line > 1 ? target.offsetTop - pane.clientHeight / 3 : 0;
  } else if (line > 1) target.scrollIntoView({ block: "center" });
  else scrollTo(0, 0);
}

function Page({ document, line }: { document: OpenDocument; line: number }) {
  const { context, lines, mayGoOn } = document;
  const first = lines[0]?.number ?? 1;
  const last = lines.at(-1)?.number ?? 1;
  return (
    <>
      {lines.length === 0 && (
        <p class="notice">
          The document ends before line {line}. <MoreLines at={1}>From the beginning</MoreLines>
        </p>
      )}
      {context && <p class="context">{context}</p>}
      {first > 1 && <MoreLines at={first - 1}>Earlier lines</MoreLines>}
      <div class="lines">
        {lines.map(({ number, text }) => (
          <div
            class={`line ${kindOf(text)}`}
            key={number}
            data-number={number}
            aria-current={number === line ? "location" : undefined}
          >
            <Marked text={text} wanted={wanted.value} />
          </div>
        ))}
      </div>
      {mayGoOn && <MoreLines at={last + 1}>Later lines</MoreLines>}
    </>
  );
}

function MoreLines({ at, children }: { at: number; children: string }) {
  return (
    <a
      class="more"
      href={hrefOf({ ...address.value, line: at })}
      onClick={(event) => {
        event.preventDefault();
        go({ line: at });
      }}
    >
      {children}
    </a>
  );
}

/** The text is shown as it is written; headings weigh more, and columns need letters of one width. */
function kindOf(text: string): string {
  if (/^#{1,6} /.test(text)) return "heading";
  return /^(\s*\||\t| {4})/.test(text) ? "columns" : "";
}
