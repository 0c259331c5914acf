import type { Pattern } from "./coders.ts";
import { colourOf } from "./colour.ts";
import { paintOf } from "./paint.ts";

const whole: Pattern = { stroke: 1, gap: 0 };

interface SwatchProps {
  color: string | null | undefined;
  pattern?: Pattern;
}

/** The line that a code draws below words, in the pattern of who coded. */
export function Swatch({ color, pattern = whole }: SwatchProps) {
  return <span class="swatch" style={paintOf([{ colour: colourOf(color), lane: 0, pattern }])} />;
}
