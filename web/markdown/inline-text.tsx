import type { ComponentChildren } from "preact";
import type { LinkDefinitions } from "../../src/text/markdown/inline.ts";
import type { Address } from "../app/address.ts";
import { Link } from "../components/link.tsx";
import { HighlightedText } from "../search/highlighted-text.tsx";
import { toInlineNodes } from "./inline.ts";
import type { InlineNode } from "./inline-node.ts";

/** Resolves a link to a view of the page or an external URL; undefined if it cannot be opened. */
export type LinkResolver = (destination: string) => Address | string | undefined;

/** The context of a text: its links, footnotes and definitions, and the words to highlight. */
export interface RenderContext {
  resolveLink: LinkResolver;
  definitions?: LinkDefinitions;
  /** The number and the address of a footnote. */
  noteOf?: (label: string) => { number: number; to: Address } | undefined;
  /** The document that a wiki link refers to. */
  documentOf?: (destination: string) => Address | undefined;
  /** The page of a typed object. */
  objectOf?: (id: string) => Address | undefined;
  /** The words to highlight. */
  wanted?: ReadonlySet<string>;
}

/** Renders inline text as elements. HTML in it is shown as source text. */
export function InlineText({ text, context }: { text: string; context: RenderContext }) {
  return <Parts parts={toInlineNodes(text, context.definitions)} context={context} />;
}

function Parts({ parts, context }: { parts: readonly InlineNode[]; context: RenderContext }) {
  return parts.map((part, index) => (
    <Part key={`${index} ${part.kind}`} part={part} context={context} />
  ));
}

function Part({ part, context }: { part: InlineNode; context: RenderContext }) {
  switch (part.kind) {
    case "text":
      return <PlainText text={part.text} context={context} />;
    case "code":
      return (
        <code>
          <PlainText text={part.text} context={context} />
        </code>
      );
    case "break":
      return <br />;
    case "picture":
      return <Picture part={part} context={context} />;
    case "wiki": {
      const to = context.documentOf?.(part.destination);
      if (!to) return <PlainText text={part.written} context={context} />;
      return (
        <Link to={to}>
          <PlainText text={part.text} context={context} />
        </Link>
      );
    }
    case "object": {
      const to = context.objectOf?.(part.id);
      if (!to) return `[[${part.text === part.id ? "#" : ""}${part.text}]]`;
      return (
        <Link class="reference" to={to}>
          {part.text}
        </Link>
      );
    }
    case "note": {
      const note = context.noteOf?.(part.label);
      if (!note) return `[^${part.label}]`;
      return (
        <sup>
          <Link class="note-mark" to={note.to}>
            {note.number}
          </Link>
        </sup>
      );
    }
  }
  const inner = <Parts parts={part.inner} context={context} />;
  switch (part.kind) {
    case "strong":
      return <strong>{inner}</strong>;
    case "emphasis":
      return <em>{inner}</em>;
    case "struck":
      return <s>{inner}</s>;
    case "link":
      return <ResolvedLink to={context.resolveLink(part.destination)}>{inner}</ResolvedLink>;
  }
}

const PlainText = ({ text, context: { wanted } }: { text: string; context: RenderContext }) =>
  wanted && wanted.size > 0 ? <HighlightedText text={text} wanted={wanted} /> : text;

/**
 * Images are never fetched, since their server could then track readers. Only their text is shown.
 */
function Picture({
  part: { text, destination },
  context,
}: {
  part: InlineNode & { kind: "picture" };
  context: RenderContext;
}) {
  const to = context.resolveLink(destination);
  const name = text || destination;
  return (
    <span class="picture-name">
      {typeof to === "string" ? <ResolvedLink to={to}>{name}</ResolvedLink> : name}
    </span>
  );
}

function ResolvedLink({
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
