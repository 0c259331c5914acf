import "../styles/picture.css";
import type { Address } from "../app/address.ts";
import { Link } from "../components/link.tsx";
import { type GraphLayout, nodeSize } from "./graph-layout.ts";

interface NodeLabel {
  to: Address;
  title: string;
  about: string;
  isStart?: boolean;
  /** No longer in force; drawn with a dashed line. */
  isPast?: boolean;
}

interface PictureProps<Node extends { id: string }> {
  name: string;
  drawing: GraphLayout<Node>;
  show: (node: Node) => NodeLabel;
}

/** A graph as SVG: boxes that are links, and labelled arrows. */
export function GraphSvg<Node extends { id: string }>({ name, drawing, show }: PictureProps<Node>) {
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
        {arrows.map(({ key, label, at }) => (
          <text key={key} x={at.x} y={at.y - 6}>
            {truncateLabel(label, 14)}
          </text>
        ))}
      </g>
      {nodes.map(({ node, x, y }) => (
        <Box key={node.id} x={x} y={y} {...show(node)} />
      ))}
    </svg>
  );
}

function Box({ x, y, to, title, about, isStart, isPast }: NodeLabel & { x: number; y: number }) {
  const classes = ["box", isStart && "start", isPast && "past"].filter(Boolean).join(" ");
  return (
    <Link to={to} class={classes}>
      <title>{`${title}, ${about}`}</title>
      <rect x={x} y={y} width={nodeSize.width} height={nodeSize.height} rx="5" />
      <text class="title" x={x + 10} y={y + 20}>
        {truncateLabel(title, 19)}
      </text>
      <text class="kind" x={x + 10} y={y + 36}>
        {truncateLabel(about, 24)}
      </text>
    </Link>
  );
}

const truncateLabel = (label: string, maxLength: number): string =>
  [...label].length <= maxLength
    ? label
    : `${[...label]
        .slice(0, maxLength - 1)
        .join("")
        .trimEnd()}…`;
