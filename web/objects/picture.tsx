import "../look/picture.css";
import type { Address } from "../address.ts";
import { Link } from "../link.tsx";
import { box, type Drawing } from "./drawing.ts";

interface Shown {
  to: Address;
  title: string;
  about: string;
  isStart?: boolean;
  /** What no longer holds is drawn with a broken line. */
  isPast?: boolean;
}

interface PictureProps<Node extends { id: string }> {
  name: string;
  drawing: Drawing<Node>;
  show: (node: Node) => Shown;
}

/** A drawing as SVG: boxes that are links, and arrows with their words. */
export function Picture<Node extends { id: string }>({ name, drawing, show }: PictureProps<Node>) {
  const { nodes, arrows, width, height } = drawing;
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <title>{name}</title>
      <defs>
        <marker
          id="arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0L8 4L0 8z" />
        </marker>
      </defs>
      <g class="arrows">
        {arrows.map(({ key, path }) => (
          <path key={key} d={path} marker-end="url(#arrow)" />
        ))}
        {arrows.map(({ key, words, at }) => (
          <text key={key} x={at.x} y={at.y - 6}>
            {cut(words, 14)}
          </text>
        ))}
      </g>
      {nodes.map(({ node, x, y }) => (
        <Box key={node.id} x={x} y={y} {...show(node)} />
      ))}
    </svg>
  );
}

function Box({ x, y, to, title, about, isStart, isPast }: Shown & { x: number; y: number }) {
  const looks = ["box", isStart && "start", isPast && "past"].filter(Boolean).join(" ");
  return (
    <Link to={to} class={looks}>
      <title>{`${title}, ${about}`}</title>
      <rect x={x} y={y} width={box.width} height={box.height} rx="5" />
      <text class="title" x={x + 10} y={y + 20}>
        {cut(title, 19)}
      </text>
      <text class="kind" x={x + 10} y={y + 36}>
        {cut(about, 24)}
      </text>
    </Link>
  );
}

const cut = (words: string, most: number): string =>
  [...words].length <= most
    ? words
    : `${[...words]
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
