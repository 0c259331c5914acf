import type { Band, CodingBand } from "./bands.ts";
import { Margin } from "./margin.tsx";
import { paintOf } from "./paint.ts";
import { type Run, runsOf, type Stretch } from "./runs.ts";

interface BlockProps {
  block: Stretch;
  text: string;
  bands: readonly Band[];
}

/** A part of the text, cut at the borders of its codings; each run says what it is coded with. */
export function TextBlock({ block, text, bands }: BlockProps) {
  const here = bands.map((band) => ({
    ...band,
    start: band.start - block.start,
    end: band.end - block.start,
  }));
  const codings = here.filter((band) => band.kind === "coding");
  return (
    <div class="block" style={{ "--lines": String(linesOf(text)) }}>
      <div class="words" data-start={block.start}>
        {runsOf(text.length, here).map((run) => (
          <RunOfText key={run.start} run={run} text={text} />
        ))}
      </div>
      {codings.length > 0 && <Margin codings={codings} />}
    </div>
  );
}

function RunOfText({ run, text }: { run: Run<Band>; text: string }) {
  const words = text.slice(run.start, run.end);
  const codings = run.over.filter((band) => band.kind === "coding");
  const marks = run.over.filter((band) => band.kind !== "coding").map(({ kind }) => kind);
  if (run.over.length === 0) return <>{words}</>;
  if (codings.length === 0) return <span class={marks.join(" ")}>{words}</span>;
  const labels = codings.map(({ label }) => label);
  return (
    // biome-ignore lint/a11y/useSemanticElements: no selection begins or ends in a button
    <span
      class={["coded", ...marks].join(" ")}
      role="button"
      // The text is one stop of the Tab key, however much is coded in it; n and p go on from there.
      tabIndex={-1}
      aria-haspopup="dialog"
      aria-description={`Coded with ${labels.join("; ")}`}
      title={labels.join("\n")}
      data-codings={codings.map(({ id }) => id).join(" ")}
      style={paintOf(codings.map(paintedBy))}
    >
      {words}
    </span>
  );
}

const paintedBy = ({ colour, lane, coder }: CodingBand) => ({
  colour,
  lane,
  pattern: coder.pattern,
});

/** About as many letters as a line of the column holds. */
const lineLength = 80;

/** A guess at its height, for as long as a block was not laid out. */
function linesOf(text: string): number {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineLength)), 0);
}
