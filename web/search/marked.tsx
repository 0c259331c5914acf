import { runsOf } from "./marks.ts";

/** A text in which the words that were looked for stand out. */
export function Marked({ text, wanted }: { text: string; wanted: ReadonlySet<string> }) {
  return (
    <>{runsOf(text, wanted).map((run) => (run.isMarked ? <mark>{run.text}</mark> : run.text))}</>
  );
}
