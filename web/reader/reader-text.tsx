import { computed, useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { address, addressWith } from "../app/address.ts";
import { Link } from "../components/link.tsx";
import { BlockList } from "../markdown/block-view.tsx";
import type { MarkdownBlock } from "../markdown/blocks.ts";
import { type DocumentChunk, parseChunk } from "../markdown/document-chunks.ts";
import { FrontMatter } from "../markdown/front-matter.tsx";
import type { RenderContext } from "../markdown/inline-text.tsx";
import { HighlightedText } from "../search/highlighted-text.tsx";
import { highlightTokens } from "../search/search-results-state.ts";
import { Backlinks } from "./backlinks.tsx";
import { resolveDocumentLink } from "./document-links.ts";
import { LazyChunks } from "./lazy-chunks.tsx";
import { objectAddressOf } from "./object-links.ts";
import { openDocument } from "./open-document.ts";
import { Outline } from "./outline.tsx";
import { chunkedDocument, documentOutline, isSourceShown } from "./outline-state.ts";
import { readerTarget } from "./reader-target.ts";
import { scrollToTarget, trackTopLine } from "./scroll-position.ts";
import { wikiLinkAddress } from "./wiki-links.ts";

/** The text of the open document, scrolled to the target of the URL. */
export function ReaderText() {
  const frame = useRef<HTMLDivElement>(null);
  const document = openDocument.value;
  const target = readerTarget.value;
  const here = useComputed(targetLineOf).value;

  // The text is no dependency: a document that changes on disk keeps its scroll position.
  useLayoutEffect(() => {
    const isSection = target?.anchor !== "";
    return frame.current ? scrollToTarget(frame.current, { line: here, isSection }) : undefined;
  }, [document?.file, here, target?.line, target?.anchor, isSourceShown.value]);
  useLayoutEffect(() => (frame.current ? trackTopLine(frame.current) : undefined), []);

  if (!document || !target) return null;
  const { context, lines } = document;
  const isPastEnd = target.line > lines.length;
  const hasNoHeading = target.anchor !== "" && here === undefined;
  return (
    <div class="room" ref={frame}>
      {!target.isPreview && <Outline />}
      <div class="text">
        {(isPastEnd || hasNoHeading) && (
          <p class="notice">
            {isPastEnd
              ? `The document ends before line ${target.line}. `
              : `The document has no heading “${target.anchor}”. `}
            <Link to={addressWith({ line: 1 })}>Go to the beginning</Link>
          </p>
        )}
        {context && <p class="context">{context}</p>}
        {isSourceShown.value ? <Source here={here} /> : <Rendered here={here} />}
        {!target.isPreview && <Backlinks />}
      </div>
    </div>
  );
}

/** The line of the URL, or of the heading that it names; undefined for the beginning. */
function targetLineOf(): number | undefined {
  const target = readerTarget.value;
  if (!target) return undefined;
  if (target.anchor === "") return target.line > 1 ? target.line : undefined;
  const name = target.anchor.toLowerCase();
  return documentOutline.value.find(({ anchor }) => anchor === name)?.line;
}

function Rendered({ here }: { here: number | undefined }) {
  const { matter, chunks, definitions, notes } = chunkedDocument.value;
  const file = openDocument.value?.file ?? "";
  // Shift the heading levels, so that the outermost ones follow the title directly.
  const [, ...others] = documentOutline.value;
  const headings = isTitled.value ? others : documentOutline.value;
  const headingOffset = 3 - Math.min(3, ...headings.map(({ depth }) => depth));
  const context: RenderContext = {
    definitions,
    wanted: highlightTokens.value,
    resolveLink: (destination) => resolveDocumentLink(file, destination, address.peek()),
    objectOf: objectAddressOf,
    documentOf: wikiLinkAddress,
    noteOf(label) {
      const note = notes.get(label);
      return note && { number: note.number, to: addressWith({ file, line: note.line }) };
    },
  };
  return (
    <div class="prose">
      <FrontMatter rows={matter} />
      <LazyChunks
        key={file}
        chunks={chunks}
        here={here}
        draw={(chunk, here) => (
          <BlockList
            blocks={untitled(blocksOf(chunk))}
            context={context}
            headingOffset={headingOffset}
            here={here}
          />
        )}
      />
    </div>
  );
}

const parsedChunks = new WeakMap<DocumentChunk, MarkdownBlock[]>();

/** Parses each chunk once; navigation within the text uses the cache. */
function blocksOf(chunk: DocumentChunk): MarkdownBlock[] {
  const blocks = parsedChunks.get(chunk) ?? parseChunk(chunk);
  parsedChunks.set(chunk, blocks);
  return blocks;
}

/**
 * Whether the first heading repeats the title above the text, and is omitted. A heading that links
 * to the page of an object stays.
 */
const isTitled = computed(() => {
  const [first] = documentOutline.value;
  const { title, lines = [] } = openDocument.value ?? {};
  if (first?.depth !== 1 || first.title !== title) return false;
  return !lines[first.line - 1]?.includes("[[");
});

const untitled = (blocks: MarkdownBlock[]): MarkdownBlock[] =>
  isTitled.value && blocks[0]?.line === documentOutline.value[0]?.line ? blocks.slice(1) : blocks;

function Source({ here }: { here: number | undefined }) {
  const { file = "", lines = [] } = openDocument.value ?? {};
  const tokens = highlightTokens.value;
  return (
    <div class="lines">
      <LazyChunks
        key={file}
        chunks={chunksOfLines(lines)}
        here={here}
        draw={(chunk, here) =>
          chunk.lines.map((text, at) => (
            <div
              class="line"
              key={chunk.line + at}
              data-number={chunk.line + at}
              aria-current={chunk.line + at === here ? "location" : undefined}
            >
              <HighlightedText text={text} wanted={tokens} />
            </div>
          ))
        }
      />
    </div>
  );
}

const linesPerChunk = 100;

const chunksOfLines = (lines: readonly string[]): DocumentChunk[] =>
  Array.from({ length: Math.ceil(lines.length / linesPerChunk) }, (_, at) => ({
    line: at * linesPerChunk + 1,
    lines: lines.slice(at * linesPerChunk, (at + 1) * linesPerChunk),
    opening: [],
  }));
