import type { Pattern } from "../coders.ts";

/** A code over a run of text. */
export interface PaintedCode {
  colour: string;
  lane: number;
  pattern: Pattern;
}

const lanePx = 5;

/** A tint mixed from all codes, and below the text one line per code in the pattern of its coder. */
export function codingStyle(painted: readonly PaintedCode[]): Record<string, string> {
  const share = Math.round(22 / painted.length);
  const lowest = Math.max(0, ...painted.map(({ lane }) => lane));
  const lines = painted.map(({ colour, lane, pattern }) => ({
    image: strokeImage(colour, pattern, "90deg"),
    size: "100% 3px",
    position: `0 calc(100% - ${(lowest - lane) * lanePx}px)`,
  }));
  const tints = painted.map(({ colour }) => ({
    image: plain(`color-mix(in srgb, ${colour} ${share}%, transparent)`),
    size: "100% 100%",
    position: "0 0",
  }));
  const layers = [...lines, ...tints];
  return {
    "--lanes": String(lowest + 1),
    backgroundImage: layers.map(({ image }) => image).join(", "),
    backgroundSize: layers.map(({ size }) => size).join(", "),
    backgroundPosition: layers.map(({ position }) => position).join(", "),
  };
}

/** A line in a pattern, below the text or down the margin. */
export const strokeImage = (
  colour: string,
  { stroke, gap }: Pattern,
  along: "90deg" | "180deg",
): string =>
  gap === 0
    ? plain(colour)
    : `repeating-linear-gradient(${along}, ${colour} 0 ${stroke}px, transparent ${stroke}px ${stroke + gap}px)`;

const plain = (colour: string): string => `linear-gradient(${colour}, ${colour})`;
