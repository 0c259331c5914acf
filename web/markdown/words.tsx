import type { ComponentChildren } from "preact";
import type { Definitions } from "../../src/text/markdown/inline.ts";
import type { Address } from "../address.ts";
import { Link } from "../link.tsx";
import { Marked } from "../search/marked.tsx";
import { inlineOf } from "./inline.ts";
import type { Inline } from "./inline-part.ts";

/** Where a link leads: to a view, to an address outside, or nowhere that can be opened. */
export type LeadsTo = (destination: string) => Address | string | undefined;

/** What a text says of itself elsewhere, and what its reader looks for. */
export interface Surroundings {
  leadsTo: LeadsTo;
  definitions?: Definitions;
  /** The number of a footnote and where it stands. */
  noteOf?: (label: string) => { number: number; to: Address } | undefined;
  /** The document that a wiki link means. */
  documentOf?: (destination: string) => Address | undefined;
  /** The page of a typed object. */
  objectOf?: (id: string) => Address | undefined;
  /** Words that stand out. */
  wanted?: ReadonlySet<string>;
}

/** Running text as elements that we make ourselves; HTML in it is shown as it is written. */
export function Words({ text, around }: { text: string; around: Surroundings }) {
  return <Parts parts={inlineOf(text, around.definitions)} around={around} />;
}

function Parts({ parts, around }: { parts: readonly Inline[]; around: Surroundings }) {
  return parts.map((part, at) => <Part key={`${at} ${part.kind}`} part={part} around={around} />);
}

function Part({ part, around }: { part: Inline; around: Surroundings }) {
  switch (part.kind) {
    case "text":
      return <Letters text={part.text} around={around} />;
    case "code":
      return (
        <code>
          <Letters text={part.text} around={around} />
        </code>
      );
    case "break":
      return <br />;
    case "picture":
      return <Picture part={part} around={around} />;
    case "wiki": {
      const to = around.documentOf?.(part.destination);
      if (!to) return <Letters text={part.written} around={around} />;
      return (
        <Link to={to}>
          <Letters text={part.text} around={around} />
        </Link>
      );
    }
    case "object": {
      const to = around.objectOf?.(part.id);
      if (!to) return `[[${part.text === part.id ? "#" : ""}${part.text}]]`;
      return (
        <Link class="reference" to={to}>
          {part.text}
        </Link>
      );
    }
    case "note": {
      const note = around.noteOf?.(part.label);
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
  const inner = <Parts parts={part.inner} around={around} />;
  switch (part.kind) {
    case "strong":
      return <strong>{inner}</strong>;
    case "emphasis":
      return <em>{inner}</em>;
    case "struck":
      return <s>{inner}</s>;
    case "link":
      return <Leading to={around.leadsTo(part.destination)}>{inner}</Leading>;
  }
}

const Letters = ({ text, around: { wanted } }: { text: string; around: Surroundings }) =>
  wanted && wanted.size > 0 ? <Marked text={text} wanted={wanted} /> : text;

/** A picture is named and never asked for: that would tell its server who reads what. */
function Picture({
  part: { text, destination },
  around,
}: {
  part: Inline & { kind: "picture" };
  around: Surroundings;
}) {
  const to = around.leadsTo(destination);
  const name = text || destination;
  return (
    <span class="picture-name">
      {typeof to === "string" ? <Leading to={to}>{name}</Leading> : name}
    </span>
  );
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
