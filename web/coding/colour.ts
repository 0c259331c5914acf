/** The backgrounds of both themes, as in `page.css`. The line of a code must be visible on each. */
const papers = { light: "#fbf9f5", dark: "#171613" } as const;

/** The minimum contrast of graphical objects in WCAG 2.2, criterion 1.4.11. */
const minContrast = 3;

/** The CSS colour of a code, adapted to each theme where its contrast is too low. */
export function colourOf(color: string | null | undefined): string {
  if (!isColour(color)) return "var(--field)";
  const css =
    cssColours.get(color) ??
    `light-dark(${legibleOn("light", color)}, ${legibleOn("dark", color)})`;
  cssColours.set(color, css);
  return css;
}

/** A cache: thousands of codings share a few colours. */
const cssColours = new Map<string, string>();

export const isColour = (color: string | null | undefined): color is string =>
  /^#[0-9a-f]{6}$/i.test(color ?? "");

/** The colour itself, or the nearest darker or lighter one with enough contrast. */
export function legibleOn(theme: keyof typeof papers, color: string): string {
  const goal = theme === "light" ? 0 : 255;
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = channelsOf(color).map((channel) => channel + (goal - channel) * share);
    const hex = hexOf(mixed);
    if (contrast(hex, papers[theme]) >= minContrast) return hex;
  }
  return theme === "light" ? "#000000" : "#ffffff";
}

/** The themes in which the colour has to be adapted. */
export const adaptedThemes = (color: string): (keyof typeof papers)[] =>
  (["light", "dark"] as const).filter(
    (theme) => legibleOn(theme, color).toLowerCase() !== color.toLowerCase(),
  );

/** The WCAG contrast ratio: from 1 for equal colours to 21. */
export function contrast(first: string, second: string): number {
  const [a, b] = [luminance(first), luminance(second)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Undoes the gamma of an sRGB channel. */
function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function channelsOf(color: string): [red: number, green: number, blue: number] {
  const channelAt = (index: number): number => Number.parseInt(color.slice(index, index + 2), 16);
  return [channelAt(1), channelAt(3), channelAt(5)];
}

const hexOf = (channels: readonly number[]): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;

/** Distinguishable with the common forms of colour blindness, in both themes. */
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
