import { type HighlightRun, splitHighlights } from "./highlights.ts";

/** A text with the searched words marked. */
export function HighlightedText({ text, wanted }: { text: string; wanted: ReadonlySet<string> }) {
  return <HighlightedRuns runs={splitHighlights(text, wanted)} />;
}

export function HighlightedRuns({ runs }: { runs: readonly HighlightRun[] }) {
  return <>{runs.map((run) => (run.isMarked ? <mark>{run.text}</mark> : run.text))}</>;
}
