import type { Pattern } from "./coders.ts";
import { colourOf } from "./colour.ts";
import { codingStyle } from "./text/coding-style.ts";

const solidLine: Pattern = { stroke: 1, gap: 0 };

interface SwatchProps {
  color: string | null | undefined;
  pattern?: Pattern;
}

/** A sample of the line below coded text, in the pattern of its coder. */
export function Swatch({ color, pattern = solidLine }: SwatchProps) {
  return (
    <span class="swatch" style={codingStyle([{ colour: colourOf(color), lane: 0, pattern }])} />
  );
}
