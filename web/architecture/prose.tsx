import type { ComponentChildren } from "preact";
import type { Address } from "../address.ts";
import { Link } from "../link.tsx";
import { type Block, parsed } from "./blocks.ts";
import { type Inline, inlineOf } from "./inline.ts";

/** Where a link leads: to a view, to an address outside, or nowhere that can be opened. */
type LeadsTo = (destination: string) => Address | string | undefined;

interface ProseProps {
  text: string;
  /** True where the page shows the title itself. */
  isTitled?: boolean;
  leadsTo: LeadsTo;
}

/**
 * A document in Markdown as elements that we make ourselves. HTML in it is shown as it is written,
 * and pictures are links, so that reading asks nobody for anything.
 */
export function Prose({ text, isTitled = false, leadsTo }: ProseProps) {
  const { matter, blocks } = parsed(text);
  const [first] = blocks;
  const isDouble = isTitled && first?.kind === "heading" && first.depth === 1;
  return (
    <div class="prose">
      {matter && (
        <details>
          <summary>Front matter</summary>
          <pre>{matter}</pre>
        </details>
      )}
      <Blocks blocks={isDouble ? blocks.slice(1) : blocks} leadsTo={leadsTo} />
    </div>
  );
}

function Blocks({ blocks, leadsTo }: { blocks: readonly Block[]; leadsTo: LeadsTo }) {
  return blocks.map((block, at) => (
    <BlockShown key={`${at} ${block.kind}`} block={block} leadsTo={leadsTo} />
  ));
}

function BlockShown({ block, leadsTo }: { block: Block; leadsTo: LeadsTo }) {
  const words = (text: string) => <Words parts={inlineOf(text)} leadsTo={leadsTo} />;
  switch (block.kind) {
    case "heading":
      return <Heading depth={block.depth}>{words(block.text)}</Heading>;
    case "paragraph":
      return <p>{words(block.text)}</p>;
    case "code":
      return <pre>{block.text}</pre>;
    case "rule":
      return <hr />;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} leadsTo={leadsTo} />
        </blockquote>
      );
    case "list": {
      const items = block.items.map((item, at) => (
        <li key={`${at} ${item.length}`}>
          <Blocks blocks={item} leadsTo={leadsTo} />
        </li>
      ));
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return (
        <table>
          <thead>
            <tr>
              {block.head.map((cell, at) => (
                <th scope="col" key={`${at} ${cell}`}>
                  {words(cell)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((row, at) => (
              <tr key={`${at} ${row.join()}`}>
                {row.map((cell, column) => (
                  <td key={`${column} ${cell}`}>{words(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
  }
}

/** Below the headings of the page itself. */
function Heading({ depth, children }: { depth: number; children: ComponentChildren }) {
  if (depth <= 2) return <h4>{children}</h4>;
  return depth === 3 ? <h5>{children}</h5> : <h6>{children}</h6>;
}

function Words({ parts, leadsTo }: { parts: readonly Inline[]; leadsTo: LeadsTo }) {
  return parts.map((part, at) => <Word key={`${at} ${part.kind}`} part={part} leadsTo={leadsTo} />);
}

function Word({ part, leadsTo }: { part: Inline; leadsTo: LeadsTo }) {
  if (part.kind === "text") return part.text;
  if (part.kind === "code") return <code>{part.text}</code>;
  const inner = <Words parts={part.inner} leadsTo={leadsTo} />;
  switch (part.kind) {
    case "strong":
      return <strong>{inner}</strong>;
    case "emphasis":
      return <em>{inner}</em>;
    case "link":
      return <Leading to={leadsTo(part.destination)}>{inner}</Leading>;
  }
}

function Leading({
  to,
  children,
}: {
  to: Address | string | undefined;
  children: ComponentChildren;
}) {
  if (to === undefined) return <span>{children}</span>;
  if (typeof to !== "string") return <Link to={to}>{children}</Link>;
  return (
    <a href={to} rel="noreferrer noopener">
      {children}
    </a>
  );
}
