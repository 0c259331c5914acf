import { type Run, runsOf } from "./marks.ts";

/** A text in which the words that were looked for stand out. */
export function Marked({ text, wanted }: { text: string; wanted: ReadonlySet<string> }) {
  return <Runs runs={runsOf(text, wanted)} />;
}

export function Runs({ runs }: { runs: readonly Run[] }) {
  return <>{runs.map((run) => (run.isMarked ? <mark>{run.text}</mark> : run.text))}</>;
}
