import "../styles/prose.css";
import type { ComponentChildren } from "preact";
import type { ListItem, MarkdownBlock } from "./blocks.ts";
import { InlineText, type RenderContext } from "./inline-text.tsx";

interface BlocksProps {
  blocks: readonly MarkdownBlock[];
  context: RenderContext;
  /** The offset of heading levels, since the page has headings above the text. */
  headingOffset: number;
  /** The line to mark as the current location. */
  here?: number | undefined;
}

/** Renders blocks as elements, each with the number of its first line. No HTML is injected. */
export function BlockList({ blocks, here, ...rest }: BlocksProps) {
  const current = indexAtLine(blocks, here);
  return blocks.map((block, index) => (
    <BlockView
      key={`${block.line} ${block.kind}`}
      block={block}
      here={index === current ? here : undefined}
      {...rest}
    />
  ));
}

/** The index of the last item that begins at or before the line. */
const indexAtLine = (items: readonly { line: number }[], here: number | undefined): number =>
  here === undefined ? -1 : items.findLastIndex(({ line }) => line <= here);

type BlockViewProps = Omit<BlocksProps, "blocks"> & { block: MarkdownBlock };

function BlockView({ block, context, headingOffset, here }: BlockViewProps) {
  const line = { "data-line": block.line };
  const attributes = {
    ...line,
    "aria-current": here === undefined ? undefined : ("location" as const),
  };
  const inline = (text: string) => <InlineText text={text} context={context} />;
  const nested = (blocks: readonly MarkdownBlock[]) => (
    <BlockList blocks={blocks} context={context} headingOffset={headingOffset} here={here} />
  );
  switch (block.kind) {
    case "heading":
      return (
        <Heading level={block.depth + headingOffset} attributes={attributes}>
          {inline(block.text)}
        </Heading>
      );
    case "paragraph":
      return <p {...attributes}>{inline(block.text)}</p>;
    case "code":
      return <Code block={block} here={here} />;
    case "html":
      return (
        <pre class="markup" {...attributes}>
          {block.text}
        </pre>
      );
    case "rule":
      return <hr {...attributes} />;
    case "quote":
      return <blockquote {...line}>{nested(block.blocks)}</blockquote>;
    case "note":
      return (
        <aside class="note" {...line} aria-label={`Note ${noteName(block.label, context)}`}>
          <span class="note-number">{noteName(block.label, context)}</span>
          <div>{nested(block.blocks)}</div>
        </aside>
      );
    case "list":
      return <List block={block} context={context} headingOffset={headingOffset} here={here} />;
    case "table":
      return <Table block={block} context={context} headingOffset={headingOffset} here={here} />;
  }
}

const noteName = (label: string, { noteOf }: RenderContext): string =>
  String(noteOf?.(label)?.number ?? label);

/** A heading of level 3 to 6; levels 1 and 2 are the page's own. */
function Heading({
  level,
  attributes,
  children,
}: {
  level: number;
  attributes: object;
  children: ComponentChildren;
}) {
  if (level <= 3) return <h3 {...attributes}>{children}</h3>;
  if (level === 4) return <h4 {...attributes}>{children}</h4>;
  return level === 5 ? <h5 {...attributes}>{children}</h5> : <h6 {...attributes}>{children}</h6>;
}

function Code({
  block: { line, firstLine, text, language },
  here,
}: {
  block: MarkdownBlock & { kind: "code" };
  here: number | undefined;
}) {
  const lines = here === undefined ? [] : text.split("\n");
  const current = Math.min(Math.max((here ?? 0) - firstLine, 0), lines.length - 1);
  return (
    <div class="code" data-line={line}>
      {language && <span class="language">{language}</span>}
      {/* biome-ignore lint/a11y: a scrollable region needs keyboard access, and is not a fieldset */}
      <pre tabIndex={0} role="group" aria-label={language ? `Code, ${language}` : "Code"}>
        <code>
          {here === undefined ? (
            text
          ) : (
            <>
              {lines.slice(0, current).map((content) => `${content}\n`)}
              <span class="here" aria-current="location" data-line={here}>
                {lines[current]}
              </span>
              {lines.slice(current + 1).map((content) => `\n${content}`)}
            </>
          )}
        </code>
      </pre>
    </div>
  );
}

type PartProps<Kind> = Omit<BlockViewProps, "block"> & { block: MarkdownBlock & { kind: Kind } };

function List({ block, here, ...rest }: PartProps<"list">) {
  const current = indexAtLine(block.items, here);
  const items = block.items.map((item, index) => (
    <ListItemView
      key={item.line}
      item={item}
      here={index === current ? here : undefined}
      {...rest}
    />
  ));
  if (block.start === undefined) return <ul data-line={block.line}>{items}</ul>;
  return (
    <ol data-line={block.line} start={block.start}>
      {items}
    </ol>
  );
}

/** A tight item, of one paragraph and nested lists only, has no paragraph spacing. */
function ListItemView({ item, here, ...rest }: Omit<BlockViewProps, "block"> & { item: ListItem }) {
  const [first, ...others] = item.blocks;
  const isTight = first?.kind === "paragraph" && others.every(({ kind }) => kind === "list");
  const task = item.isDone !== undefined && (
    <input
      type="checkbox"
      checked={item.isDone}
      disabled
      aria-label={item.isDone ? "Done" : "To do"}
    />
  );
  if (!isTight) {
    return (
      <li class={task ? "task" : undefined} data-line={item.line}>
        {task}
        <BlockList blocks={item.blocks} here={here} {...rest} />
      </li>
    );
  }
  const isInFirst = here !== undefined && !others.some(({ line }) => line <= here);
  return (
    <li class={task ? "task" : undefined} data-line={item.line}>
      {task}
      <span class="first" aria-current={isInFirst ? "location" : undefined} data-line={item.line}>
        <InlineText text={first.text} context={rest.context} />
      </span>
      <BlockList blocks={others} here={here} {...rest} />
    </li>
  );
}

function Table({ block, context, here }: PartProps<"table">) {
  const current = indexAtLine(block.rows, here);
  const sideAt = (column: number) => block.sides[column] && `to-${block.sides[column]}`;
  return (
    // biome-ignore lint/a11y: a scrollable region needs keyboard access, and is not a fieldset
    <div class="wide" tabIndex={0} role="group" aria-label="Table" data-line={block.line}>
      <table>
        <thead>
          <tr>
            {block.head.map((cell, column) => (
              <th scope="col" class={sideAt(column)} key={`${column} ${cell}`}>
                <InlineText text={cell} context={context} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map(({ line, cells }, row) => (
            <tr key={line} data-line={line} aria-current={row === current ? "location" : undefined}>
              {cells.map((cell, column) => (
                <td class={sideAt(column)} key={`${column} ${cell}`}>
                  <InlineText text={cell} context={context} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
