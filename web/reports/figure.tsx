import { render } from "preact";
import type { JSX } from "preact/jsx-runtime";
import { save } from "../objects/csv.ts";

/** The colours of a picture. */
export interface Look {
  paper: string;
  ink: string;
  quiet: string;
  rule: string;
  accent: string;
}

/** On the page a picture has the colours of the theme. */
export const onPage: Look = {
  paper: "none",
  ink: "var(--ink)",
  quiet: "var(--quiet)",
  rule: "var(--rule)",
  accent: "var(--accent)",
};

/** A saved picture stands alone, so it has its own paper and ink. */
const alone: Look = {
  paper: "#ffffff",
  ink: "#22201c",
  quiet: "#68625a",
  rule: "#e5dfd4",
  accent: "#9a3f12",
};

export const letters = { "font-family": "sans-serif", "font-size": 13 };

export const rowHeight = 26;
export const labelWidth = 220;

/** Names longer than their room are cut; the table has them whole. */
export const cut = (name: string, most: number): string =>
  [...name].length > most ? `${[...name].slice(0, most - 1).join("")}…` : name;

interface FigureProps {
  title: string;
  look: Look;
  width: number;
  height: number;
  children: (JSX.Element | JSX.Element[])[];
}

/** Room for the title above what is drawn. */
const headHeight = 40;

export function Figure({ title, look, width, height, children }: FigureProps) {
  const whole = height + headHeight;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${whole}`}
      width={width}
      height={whole}
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      <rect width={width} height={whole} fill={look.paper} />
      <text x={16} y={26} {...letters} font-size={16} font-weight="bold" fill={look.ink}>
        {title}
      </text>
      <g transform={`translate(0 ${headHeight})`}>{children}</g>
    </svg>
  );
}

/** Draws a picture aside, as it stands alone, and lets the browser save it. */
export function savePicture(name: string, picture: (look: Look) => JSX.Element): void {
  const aside = document.createElement("div");
  render(picture(alone), aside);
  save(name, "image/svg+xml", aside.innerHTML);
}
