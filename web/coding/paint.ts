import type { Pattern } from "./coders.ts";

/** One code over a run of words. */
export interface Painted {
  colour: string;
  lane: number;
  pattern: Pattern;
}

const lanePx = 5;

/** A tint of all codes, and below the words a line for each, in the pattern of who coded. */
export function paintOf(painted: readonly Painted[]): Record<string, string> {
  const share = Math.round(22 / painted.length);
  const lowest = Math.max(0, ...painted.map(({ lane }) => lane));
  const lines = painted.map(({ colour, lane, pattern }) => ({
    image: stroked(colour, pattern, "90deg"),
    size: "100% 3px",
    place: `0 calc(100% - ${(lowest - lane) * lanePx}px)`,
  }));
  const tints = painted.map(({ colour }) => ({
    image: plain(`color-mix(in srgb, ${colour} ${share}%, transparent)`),
    size: "100% 100%",
    place: "0 0",
  }));
  const layers = [...lines, ...tints];
  return {
    "--lanes": String(lowest + 1),
    backgroundImage: layers.map(({ image }) => image).join(", "),
    backgroundSize: layers.map(({ size }) => size).join(", "),
    backgroundPosition: layers.map(({ place }) => place).join(", "),
  };
}

/** A line in somebody's pattern, along the words or down the margin. */
export const stroked = (
  colour: string,
  { stroke, gap }: Pattern,
  along: "90deg" | "180deg",
): string =>
  gap === 0
    ? plain(colour)
    : `repeating-linear-gradient(${along}, ${colour} 0 ${stroke}px, transparent ${stroke}px ${stroke + gap}px)`;

const plain = (colour: string): string => `linear-gradient(${colour}, ${colour})`;
