import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { remove } from "./applying.ts";
import { type Band, bandsOf, markOf } from "./bands.ts";
import { spreadOver } from "./blocks.ts";
import { coders } from "./coders.ts";
import { borderMoveOf, selectionMoveOf } from "./movement.ts";
import { type OpenedSource, pointed, type Segment } from "./project.ts";
import { held, moveBorder, unitsOf } from "./recoding.ts";
import type { Stretch } from "./runs.ts";
import { chosenNow, elementAt, revealSelection, select, selected } from "./selection.ts";
import { openStack } from "./stack-state.ts";
import { TextBlock } from "./text-block.tsx";
import { moved, snapped, wordsOf } from "./words.ts";

/** A source's text with what is coded in it. */
export function SourceText({ source }: { source: OpenedSource }) {
  const pane = useRef<HTMLElement>(null);
  const drawn = useDrawnBlocks(source, bandsOf(source));
  useSelection(pane, source);
  useFocus(pane, source);

  const act = (event: KeyboardEvent): boolean => {
    // The key that another is struck with says nothing by itself.
    if (/^(?:Alt|Shift|Control|Meta)$/.test(event.key)) return false;
    const border = borderMoveOf(event);
    if (!border) held.value = undefined;
    const run = runAt(event.target);
    if (run && (event.key === "Enter" || event.key === " ")) {
      openStack(run);
      return true;
    }
    const innermost = run && innermostOf(source, run);
    if (innermost && event.key === "Delete") {
      void remove(innermost);
      return true;
    }
    if (border && innermost) {
      void moveBorder(innermost, border);
      return true;
    }
    const move = border ?? selectionMoveOf(event);
    const next = move && moved(wordsOf(source.content), selected.value, move);
    if (!next || run) return false;
    select(source, next);
    revealSelection();
    return true;
  };

  return (
    <>
      <section
        ref={pane}
        key={source.source_id}
        class="text"
        style={{ "--coders": String(coders.value.length) }}
        aria-label={`Text of ${source.source_name}`}
        aria-describedby="how-to-select"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: words are selected by keys here
        tabIndex={0}
        onKeyDown={(event) => {
          if (act(event)) event.preventDefault();
        }}
        onPointerDown={() => {
          held.value = undefined;
        }}
        onClick={({ target, clientY }) => {
          const here = besideAt(target, clientY) ?? runAt(target);
          if (here && getSelection()?.isCollapsed) openStack(here);
        }}
      >
        {drawn}
      </section>
      <p id="how-to-select" class="unseen">
        Arrows left and right select a word; with Shift they make the selection longer and shorter,
        with Alt they move a border of what is selected or coded. n and p go to the next and the
        previous coding, and Enter opens it.
      </p>
    </>
  );
}

/** Blocks that look as before are the same elements as before, and are not compared again. */
function useDrawnBlocks(source: OpenedSource, bands: readonly Band[]): VNode[] {
  const { content, blocks, source_id } = source;
  const known = useRef(new Map<string, { text: string; mark: string; drawn: VNode }>());
  const over = spreadOver(blocks, bands);
  const next: typeof known.current = new Map();
  const all = blocks.map((block, at) => {
    const here = over[at] ?? [];
    const [text, mark] = [content.slice(block.start, block.end), markOf(here)];
    const key = `${source_id} ${block.start}`;
    const before = known.current.get(key);
    const isSame = before?.mark === mark && before.text === text;
    const drawn = isSame ? before.drawn : draw(block, text, here);
    next.set(key, { text, mark, drawn });
    return drawn;
  });
  known.current = next;
  return all;
}

const draw = (block: Stretch, text: string, bands: readonly Band[]): VNode => (
  <TextBlock key={block.start} block={block} text={text} bands={bands} />
);

type Pane = { readonly current: HTMLElement | null };

/** Keeps what the browser has selected; where a mouse has, in whole words unless Alt is held. */
function useSelection(pane: Pane, source: OpenedSource): void {
  const { content, source_id, segments } = source;
  useEffect(() => {
    const follow = () => {
      const chosen = chosenNow(source);
      if (chosen) selected.value = chosen.start < chosen.end ? chosen : undefined;
    };
    const snap = ({ altKey, target }: PointerEvent) => {
      const isHere = target instanceof Node && pane.current?.contains(target);
      const chosen = isHere && !altKey ? chosenNow(source) : undefined;
      if (!chosen || chosen.start >= chosen.end) return;
      const whole = snapped(wordsOf(content), chosen);
      if (whole.start < whole.end) select(source, whole);
    };
    document.addEventListener("selectionchange", follow);
    document.addEventListener("pointerup", snap);
    return () => {
      document.removeEventListener("selectionchange", follow);
      document.removeEventListener("pointerup", snap);
    };
  }, [content]);
  // In another text the same place is another passage.
  useEffect(() => {
    selected.value = undefined;
  }, [source_id, content]);
  // Runs that were cut anew have lost what the browser had selected in them.
  useLayoutEffect(() => {
    if (document.activeElement === pane.current && selected.value) select(source, selected.value);
  }, [segments]);
}

/** Goes to what the address points to, and stays with a coding whose border was moved. */
function useFocus(pane: Pane, source: OpenedSource): void {
  const place = pointed.value;
  useEffect(() => {
    if (!place) return;
    const { start, end } = place;
    const units = unitsOf(source, { start_position: start, end_position: end });
    const show = () => elementAt(source, units.start)?.scrollIntoView({ block: "center" });
    show();
    // What lies between was only guessed at; once it is laid out, the passage may have moved.
    requestAnimationFrame(show);
  }, [source.source_id, place]);
  useLayoutEffect(() => {
    const segment = source.segments.find(({ id }) => id === held.value);
    if (!segment) return;
    const isHere = pane.current?.contains(document.activeElement);
    if (isHere || document.activeElement === document.body) {
      elementAt(source, unitsOf(source, segment).start)?.focus();
    }
  }, [source.segments]);
}

/** The codings of a line, where somebody points beside it; bars are too thin to be hit. */
function besideAt(target: EventTarget | null, place: number): number[] | undefined {
  const margin = target instanceof Element && target.closest(".margin");
  if (!margin) return undefined;
  return [...margin.querySelectorAll<HTMLElement>(".bar")]
    .filter((bar) => {
      const { top, bottom } = bar.getBoundingClientRect();
      return top <= place && place <= bottom;
    })
    .map((bar) => Number(bar.dataset.codings));
}

/** The codings of the run that something happens in. */
function runAt(target: EventTarget | null): number[] | undefined {
  const run = target instanceof Element && target.closest<HTMLElement>("[data-codings]");
  return run ? run.dataset.codings?.split(" ").map(Number) : undefined;
}

/** Of several codings over a run the shortest, which is the one that somebody sees. */
const innermostOf = ({ segments }: OpenedSource, ids: readonly number[]): Segment | undefined =>
  segments
    .filter(({ id }) => ids.includes(id))
    .sort((a, b) => lengthOf(a) - lengthOf(b))
    .at(0);

const lengthOf = ({ start_position, end_position }: Segment): number =>
  end_position - start_position;
