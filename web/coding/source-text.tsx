import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Link } from "../link.tsx";
import { isPicking } from "./applying.ts";
import { colourOf, type Painted, paintOf } from "./colour.ts";
import {
  codeOf,
  isAgent,
  neighboursOf,
  type OpenedSource,
  pointed,
  type Segment,
} from "./project.ts";
import { lanesOf, type Run, runsOf, type Stretch } from "./runs.ts";
import { selected, selectIn, selectionIn } from "./selection.ts";
import { openStack } from "./stack.tsx";
import { type Move, moved, wordsOf } from "./words.ts";

/** What lies over the text: a coding, the passage that is pointed to, or the selection. */
type Band = Stretch & ({ coding: Segment } | { pointed: "passage" | "place" } | { chosen: true });

/** A source's text, cut at the borders of its codings; each run says what it is coded with. */
export function SourceText({ source }: { source: OpenedSource }) {
  const pane = useRef<HTMLElement>(null);
  const words = useMemo(() => wordsOf(source.content), [source.content]);
  const bands = bandsOf(source);
  const lanes = lanesOf(bands.filter((band) => "coding" in band));
  const { before, behind } = neighboursOf(source);
  const place = pointed.value;

  useEffect(() => {
    const follow = () => {
      const chosen = pane.current && selectionIn(pane.current);
      if (chosen) selected.value = chosen.start < chosen.end ? chosen : undefined;
    };
    document.addEventListener("selectionchange", follow);
    return () => document.removeEventListener("selectionchange", follow);
  }, []);
  useEffect(() => {
    selected.value = undefined;
  }, [source.source_id, source.start_pos]);
  useEffect(() => {
    pane.current?.querySelector(".pointed")?.scrollIntoView({ block: "center" });
  }, [source.source_id, source.start_pos, place]);
  // Runs that were cut anew have lost what the browser had selected in them.
  useLayoutEffect(() => {
    const isHere = document.activeElement === pane.current;
    if (isHere && pane.current && selected.value) selectIn(pane.current, selected.value);
  }, [source.segments]);

  return (
    <>
      {before && <Link to={before}>Earlier in the text</Link>}
      <section
        ref={pane}
        class="text"
        aria-label={`Text of ${source.source_name}`}
        aria-describedby="how-to-select"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: words are selected by keys here
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.target !== pane.current || !pane.current) return;
          const move = moveOf(event);
          const next = move && moved(words, selected.value, move);
          if (!next) return;
          // The browser tells of it only later, and the next key may come at once.
          selected.value = next;
          selectIn(pane.current, next);
          event.preventDefault();
        }}
      >
        {runsOf(source.content.length, bands).map((run) => (
          <RunOfText key={run.start} run={run} text={source.content} lanes={lanes} />
        ))}
      </section>
      {behind && <Link to={behind}>Further in the text</Link>}
      <p id="how-to-select" class="unseen">
        Arrows left and right select a word; with Shift they make the selection longer and shorter.
      </p>
    </>
  );
}

function moveOf({ key, shiftKey }: KeyboardEvent): Move | undefined {
  if (key === "ArrowRight") return shiftKey ? "longer" : "next";
  if (key === "ArrowLeft") return shiftKey ? "shorter" : "previous";
  return undefined;
}

function bandsOf({ content, offsets, segments, start_pos }: OpenedSource): Band[] {
  const unitOf = (position: number): number => {
    const here = position - start_pos;
    return here < 0 ? here : here > offsets.length ? content.length + 1 : offsets.unitAt(here);
  };
  const place = pointed.value;
  return [
    ...segments.map((coding) => ({
      coding,
      start: unitOf(coding.start_position),
      end: unitOf(coding.end_position),
    })),
    ...(place ? [{ pointed: place.kind, start: unitOf(place.start), end: unitOf(place.end) }] : []),
    ...(isPicking.value && selected.value ? [{ chosen: true as const, ...selected.value }] : []),
  ];
}

interface RunProps {
  run: Run<Band>;
  text: string;
  lanes: ReadonlyMap<Band, number>;
}

function RunOfText({ run, text, lanes }: RunProps) {
  const words = text.slice(run.start, run.end);
  const codings = run.over.flatMap((band) => ("coding" in band ? [band.coding] : []));
  const painted = run.over.flatMap((band) =>
    "coding" in band ? [paintedBy(band.coding, lanes.get(band) ?? 0)] : [],
  );
  const marks = run.over.flatMap((band) => {
    if ("chosen" in band) return ["chosen"];
    return "pointed" in band ? ["pointed", band.pointed] : [];
  });
  const open = () => openStack(codings.map(({ id }) => id));
  if (codings.length === 0) return <span class={marks.join(" ") || undefined}>{words}</span>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: no selection begins or ends in a button
    <span
      class={["coded", ...marks].join(" ")}
      role="button"
      tabIndex={0}
      aria-haspopup="dialog"
      aria-description={`Coded with ${codings.map(namesOf).join(", ")}`}
      title={codings.map(namesOf).join("\n")}
      style={paintOf(painted)}
      onClick={() => {
        if (getSelection()?.isCollapsed) open();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        open();
      }}
    >
      {words}
    </span>
  );
}

const paintedBy = ({ code_id, owner }: Segment, lane: number): Painted => ({
  colour: colourOf(codeOf(code_id)?.color),
  lane,
  isAgent: isAgent(owner),
});

const namesOf = ({ code_id, owner }: Segment): string =>
  `${codeOf(code_id)?.name ?? "a code"} (${owner ?? "nobody"}${isAgent(owner) ? ", agent" : ""})`;
