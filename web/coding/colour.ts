/** A code's line must be seen on the paper of each theme; these are the papers of `page.css`. */
const papers = { light: "#fbf9f5", dark: "#171613" } as const;

/** As much contrast as a line needs to be seen. */
const enough = 3;

/** The colour of a code as each theme shows it, told apart from its paper. */
export function colourOf(color: string | null | undefined): string {
  if (!isColour(color)) return "var(--field)";
  const shown =
    known.get(color) ?? `light-dark(${legibleOn("light", color)}, ${legibleOn("dark", color)})`;
  known.set(color, shown);
  return shown;
}

/** Thousands of codings have a few colours. */
const known = new Map<string, string>();

export const isColour = (color: string | null | undefined): color is string =>
  /^#[0-9a-f]{6}$/i.test(color ?? "");

/** The colour itself, or the nearest darker or lighter one that is seen on the paper. */
export function legibleOn(theme: keyof typeof papers, color: string): string {
  const goal = theme === "light" ? 0 : 255;
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = channelsOf(color).map((part) => part + (goal - part) * share);
    const written = writtenAs(mixed);
    if (contrast(written, papers[theme]) >= enough) return written;
  }
  return theme === "light" ? "#000000" : "#ffffff";
}

/** The themes on which a colour is shown otherwise than it was chosen. */
export const adaptedOn = (color: string): (keyof typeof papers)[] =>
  (["light", "dark"] as const).filter(
    (theme) => legibleOn(theme, color).toLowerCase() !== color.toLowerCase(),
  );

/** From 1, where two colours are one, to 21. */
export function contrast(one: string, other: string): number {
  const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((bright ?? 0) + 0.05) / ((dim ?? 0) + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

const writtenAs = (channels: readonly number[]): string =>
  `#${channels.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** Can be told apart by most who see colours differently, on light and on dark. */
export const palette = [
  "#0072B2",
  "#D55E00",
  "#00855F",
  "#B8588E",
  "#96700A",
  "#7A5CC2",
  "#3B86AB",
  "#A0522D",
] as const;
