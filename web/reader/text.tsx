import { computed, useComputed, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { address, addressWith } from "../address.ts";
import { Link } from "../link.tsx";
import type { Block } from "../markdown/blocks.ts";
import { Blocks } from "../markdown/blocks-shown.tsx";
import { Matter } from "../markdown/matter.tsx";
import { blocksOn, type Sheet } from "../markdown/sheets.ts";
import type { Surroundings } from "../markdown/words.tsx";
import { wanted } from "../search/hits.ts";
import { Marked } from "../search/marked.tsx";
import { destinationIn } from "./destination.ts";
import { Mentions } from "./mentions.tsx";
import { objectOf } from "./objects.ts";
import { openDocument } from "./open-document.ts";
import { Outline } from "./outline.tsx";
import { isSource, outline, paper } from "./paper.ts";
import { followTop, showPlace } from "./scrolling.ts";
import { Sheets } from "./sheets-shown.tsx";
import { shown } from "./shown.ts";
import { documentOf } from "./wiki-links.ts";

/** The text of the open document, at the place that somebody came for. */
export function Text() {
  const frame = useRef<HTMLDivElement>(null);
  const document = openDocument.value;
  const place = shown.value;
  const here = useComputed(lineAsked).value;

  // A document that changes while it is read stays where it was scrolled to.
  useLayoutEffect(() => {
    const isSection = place?.anchor !== "";
    return frame.current ? showPlace(frame.current, { line: here, isSection }) : undefined;
  }, [document?.file, here, place?.line, place?.anchor, isSource.value]);
  useSignalEffect(() => (frame.current ? followTop(frame.current) : undefined));

  if (!document || !place) return null;
  const { context, lines } = document;
  const isPast = place.line > lines.length;
  const lost = place.anchor !== "" && here === undefined;
  return (
    <div class="room" ref={frame}>
      {!place.isPreview && <Outline />}
      <div class="text">
        {(isPast || lost) && (
          <p class="notice">
            {isPast
              ? `The document ends before line ${place.line}. `
              : `The document has no heading “${place.anchor}”. `}
            <Link to={addressWith({ line: 1 })}>From the beginning</Link>
          </p>
        )}
        {context && <p class="context">{context}</p>}
        {isSource.value ? <Source here={here} /> : <Rendered here={here} />}
        {!place.isPreview && <Mentions />}
      </div>
    </div>
  );
}

/** The line of the address, or that of the heading it names; none for the beginning. */
function lineAsked(): number | undefined {
  const place = shown.value;
  if (!place) return undefined;
  if (place.anchor === "") return place.line > 1 ? place.line : undefined;
  const name = place.anchor.toLowerCase();
  return outline.value.find(({ anchor }) => anchor === name)?.line;
}

function Rendered({ here }: { here: number | undefined }) {
  const { matter, sheets, definitions, notes } = paper.value;
  const file = openDocument.value?.file ?? "";
  // The outermost headings stand right below the title.
  const [, ...others] = outline.value;
  const headings = isTitled.value ? others : outline.value;
  const above = 3 - Math.min(3, ...headings.map(({ depth }) => depth));
  const around: Surroundings = {
    definitions,
    wanted: wanted.value,
    leadsTo: (written) => destinationIn(file, written, address.peek()),
    objectOf,
    documentOf,
    noteOf(label) {
      const note = notes.get(label);
      return note && { number: note.number, to: addressWith({ file, line: note.line }) };
    },
  };
  return (
    <div class="prose">
      <Matter rows={matter} />
      <Sheets
        key={file}
        sheets={sheets}
        here={here}
        draw={(sheet, here) => (
          <Blocks blocks={untitled(blocksOf(sheet))} around={around} above={above} here={here} />
        )}
      />
    </div>
  );
}

const known = new WeakMap<Sheet, Block[]>();

/** Read once for each text; going from place to place in it reads nothing anew. */
function blocksOf(sheet: Sheet): Block[] {
  const blocks = known.get(sheet) ?? blocksOn(sheet);
  known.set(sheet, blocks);
  return blocks;
}

/**
 * The title stands above the text already, so the heading that says the same is left out, unless it
 * leads to the page of an object as well.
 */
const isTitled = computed(() => {
  const [first] = outline.value;
  const { title, lines = [] } = openDocument.value ?? {};
  if (first?.depth !== 1 || first.title !== title) return false;
  return !lines[first.line - 1]?.includes("[[");
});

const untitled = (blocks: Block[]): Block[] =>
  isTitled.value && blocks[0]?.line === outline.value[0]?.line ? blocks.slice(1) : blocks;

function Source({ here }: { here: number | undefined }) {
  const { file = "", lines = [] } = openDocument.value ?? {};
  const words = wanted.value;
  return (
    <div class="lines">
      <Sheets
        key={file}
        sheets={sheetsOfLines(lines)}
        here={here}
        draw={(sheet, here) =>
          sheet.lines.map((text, at) => (
            <div
              class="line"
              key={sheet.line + at}
              data-number={sheet.line + at}
              aria-current={sheet.line + at === here ? "location" : undefined}
            >
              <Marked text={text} wanted={words} />
            </div>
          ))
        }
      />
    </div>
  );
}

const linesOnSheet = 100;

const sheetsOfLines = (lines: readonly string[]): Sheet[] =>
  Array.from({ length: Math.ceil(lines.length / linesOnSheet) }, (_, at) => ({
    line: at * linesOnSheet + 1,
    lines: lines.slice(at * linesOnSheet, (at + 1) * linesOnSheet),
    opening: [],
  }));
