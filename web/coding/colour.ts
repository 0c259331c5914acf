/** The colour of a code, kept apart from paper and ink in both themes. */
export const colourOf = (color: string | null | undefined): string =>
  /^#[0-9a-f]{6}$/i.test(color ?? "")
    ? `color-mix(in oklab, ${color} 78%, var(--ink))`
    : "var(--field)";

/** One code over a run. */
export interface Painted {
  colour: string;
  lane: number;
  isAgent: boolean;
}

const lanePx = 5;

/** A tint of all codes, and below the words a line for each: whole for people, dashed for agents. */
export function paintOf(painted: readonly Painted[]): Record<string, string> {
  const share = Math.round(22 / painted.length);
  const lowest = Math.max(0, ...painted.map(({ lane }) => lane));
  const lines = painted.map(({ colour, lane, isAgent }) => ({
    image: isAgent
      ? `repeating-linear-gradient(90deg, ${colour} 0 5px, transparent 5px 8px)`
      : plain(colour),
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

const plain = (colour: string): string => `linear-gradient(${colour}, ${colour})`;
