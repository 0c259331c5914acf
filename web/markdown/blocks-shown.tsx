import "../look/prose.css";
import type { ComponentChildren } from "preact";
import type { Block, Item } from "./blocks.ts";
import { type Surroundings, Words } from "./words.tsx";

interface BlocksProps {
  blocks: readonly Block[];
  around: Surroundings;
  /** How many headings of the page stand above those of the text. */
  above: number;
  /** The line that somebody came for. */
  here?: number | undefined;
}

/** Blocks as elements that we make ourselves, each with the number of its first line. */
export function Blocks({ blocks, here, ...rest }: BlocksProps) {
  const wanted = placeOf(blocks, here);
  return blocks.map((block, at) => (
    <BlockShown
      key={`${block.line} ${block.kind}`}
      block={block}
      here={at === wanted ? here : undefined}
      {...rest}
    />
  ));
}

/** The last that begins at the line or before it. */
const placeOf = (places: readonly { line: number }[], here: number | undefined): number =>
  here === undefined ? -1 : places.findLastIndex(({ line }) => line <= here);

type ShownProps = Omit<BlocksProps, "blocks"> & { block: Block };

function BlockShown({ block, around, above, here }: ShownProps) {
  const line = { "data-line": block.line };
  const place = { ...line, "aria-current": here === undefined ? undefined : ("location" as const) };
  const words = (text: string) => <Words text={text} around={around} />;
  const inside = (blocks: readonly Block[]) => (
    <Blocks blocks={blocks} around={around} above={above} here={here} />
  );
  switch (block.kind) {
    case "heading":
      return (
        <Heading level={block.depth + above} place={place}>
          {words(block.text)}
        </Heading>
      );
    case "paragraph":
      return <p {...place}>{words(block.text)}</p>;
    case "code":
      return <Code block={block} here={here} />;
    case "html":
      return (
        <pre class="markup" {...place}>
          {block.text}
        </pre>
      );
    case "rule":
      return <hr {...place} />;
    case "quote":
      return <blockquote {...line}>{inside(block.blocks)}</blockquote>;
    case "note":
      return (
        <aside class="note" {...line} aria-label={`Note ${noteName(block.label, around)}`}>
          <span class="note-number">{noteName(block.label, around)}</span>
          <div>{inside(block.blocks)}</div>
        </aside>
      );
    case "list":
      return <List block={block} around={around} above={above} here={here} />;
    case "table":
      return <Table block={block} around={around} above={above} here={here} />;
  }
}

const noteName = (label: string, { noteOf }: Surroundings): string =>
  String(noteOf?.(label)?.number ?? label);

/** Below the headings of the page itself. */
function Heading({
  level,
  place,
  children,
}: {
  level: number;
  place: object;
  children: ComponentChildren;
}) {
  if (level <= 3) return <h3 {...place}>{children}</h3>;
  if (level === 4) return <h4 {...place}>{children}</h4>;
  return level === 5 ? <h5 {...place}>{children}</h5> : <h6 {...place}>{children}</h6>;
}

function Code({
  block: { line, firstLine, text, language },
  here,
}: {
  block: Block & { kind: "code" };
  here: number | undefined;
}) {
  const lines = here === undefined ? [] : text.split("\n");
  const at = Math.min(Math.max((here ?? 0) - firstLine, 0), lines.length - 1);
  return (
    <div class="code" data-line={line}>
      {language && <span class="language">{language}</span>}
      {/* biome-ignore lint/a11y: what scrolls must be reachable by key, and is no part of a form */}
      <pre tabIndex={0} role="group" aria-label={language ? `Code, ${language}` : "Code"}>
        <code>
          {here === undefined ? (
            text
          ) : (
            <>
              {lines.slice(0, at).map((words) => `${words}\n`)}
              <span class="here" aria-current="location" data-line={here}>
                {lines[at]}
              </span>
              {lines.slice(at + 1).map((words) => `\n${words}`)}
            </>
          )}
        </code>
      </pre>
    </div>
  );
}

type PartProps<Kind> = Omit<ShownProps, "block"> & { block: Block & { kind: Kind } };

function List({ block, here, ...rest }: PartProps<"list">) {
  const wanted = placeOf(block.items, here);
  const items = block.items.map((item, at) => (
    <ItemShown key={item.line} item={item} here={at === wanted ? here : undefined} {...rest} />
  ));
  if (block.start === undefined) return <ul data-line={block.line}>{items}</ul>;
  return (
    <ol data-line={block.line} start={block.start}>
      {items}
    </ol>
  );
}

/** An item of a single paragraph is not set apart from the next by room. */
function ItemShown({ item, here, ...rest }: Omit<ShownProps, "block"> & { item: Item }) {
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
        <Blocks blocks={item.blocks} here={here} {...rest} />
      </li>
    );
  }
  const isInFirst = here !== undefined && !others.some(({ line }) => line <= here);
  return (
    <li class={task ? "task" : undefined} data-line={item.line}>
      {task}
      <span class="first" aria-current={isInFirst ? "location" : undefined} data-line={item.line}>
        <Words text={first.text} around={rest.around} />
      </span>
      <Blocks blocks={others} here={here} {...rest} />
    </li>
  );
}

function Table({ block, around, here }: PartProps<"table">) {
  const wanted = placeOf(block.rows, here);
  const sideAt = (at: number) => block.sides[at] && `to-${block.sides[at]}`;
  return (
    // biome-ignore lint/a11y: what scrolls must be reachable by key, and is no part of a form
    <div class="wide" tabIndex={0} role="group" aria-label="Table" data-line={block.line}>
      <table>
        <thead>
          <tr>
            {block.head.map((cell, at) => (
              <th scope="col" class={sideAt(at)} key={`${at} ${cell}`}>
                <Words text={cell} around={around} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map(({ line, cells }, at) => (
            <tr key={line} data-line={line} aria-current={at === wanted ? "location" : undefined}>
              {cells.map((cell, column) => (
                <td class={sideAt(column)} key={`${column} ${cell}`}>
                  <Words text={cell} around={around} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
