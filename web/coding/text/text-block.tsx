import { codingStyle } from "./coding-style.ts";
import { Margin } from "./margin.tsx";
import { type OverlapRun, type Span, splitOverlaps } from "./overlap-runs.ts";
import type { CodingOverlay, Overlay } from "./overlays.ts";

interface BlockProps {
  block: Span;
  text: string;
  overlays: readonly Overlay[];
}

/** A block of the text, cut into runs at the boundaries of its codings. */
export function TextBlock({ block, text, overlays }: BlockProps) {
  const relative = overlays.map((overlay) => ({
    ...overlay,
    start: overlay.start - block.start,
    end: overlay.end - block.start,
  }));
  const codings = relative.filter((overlay) => overlay.kind === "coding");
  return (
    <div class="block" style={{ "--lines": String(estimateLines(text)) }}>
      <div class="words" data-start={block.start}>
        {splitOverlaps(text.length, relative).map((run) => (
          <RunOfText key={run.start} run={run} text={text} />
        ))}
      </div>
      {codings.length > 0 && <Margin codings={codings} />}
    </div>
  );
}

function RunOfText({ run, text }: { run: OverlapRun<Overlay>; text: string }) {
  const content = text.slice(run.start, run.end);
  const codings = run.over.filter((overlay) => overlay.kind === "coding");
  const marks = run.over.filter((overlay) => overlay.kind !== "coding").map(({ kind }) => kind);
  if (run.over.length === 0) return <>{content}</>;
  if (codings.length === 0) return <span class={marks.join(" ")}>{content}</span>;
  const labels = codings.map(({ label }) => label);
  return (
    // biome-ignore lint/a11y/useSemanticElements: text in a button cannot be selected
    <span
      class={["coded", ...marks].join(" ")}
      role="button"
      // The text is a single tab stop; n and p move between its codings.
      tabIndex={-1}
      aria-haspopup="dialog"
      aria-description={`Coded with ${labels.join("; ")}`}
      title={labels.join("\n")}
      data-codings={codings.map(({ id }) => id).join(" ")}
      style={codingStyle(codings.map(paintedCodeOf))}
    >
      {content}
    </span>
  );
}

const paintedCodeOf = ({ colour, lane, coder }: CodingOverlay) => ({
  colour,
  lane,
  pattern: coder.pattern,
});

/** The approximate number of characters per line. */
const lineLength = 80;

/** Estimates the height of a block before its layout. */
function estimateLines(text: string): number {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineLength)), 0);
}
