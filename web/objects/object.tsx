import type { ComponentChildren } from "preact";
import { Link, useArrival } from "../link.tsx";
import { Fields, Value } from "./fields.tsx";
import { FileLine } from "./file-line.tsx";
import { Graph } from "./graph.tsx";
import { type Described, lookedAt, type Member } from "./looked-at.ts";
import { of, part, place, refOf } from "./place.ts";

/** One object: its fields or its neighbourhood, and whoever speaks of it. */
export function ObjectPage() {
  const found = lookedAt.answer.value;
  if (lookedAt.failure.value) {
    return (
      <section class="nothing-here">
        <p class="notice">{lookedAt.failure.value}</p>
        <p>
          <Link to={place()}>All objects</Link>
        </p>
      </section>
    );
  }
  if (found?.ref !== of.value) return <p class="notice">Loading…</p>;
  const { described, known = [], references = [], remaining = 0, below = [] } = found;
  if (described.id === undefined) return <FieldPage described={described} />;
  const isDrawn = part.value.startsWith("graph");
  return (
    <Frame described={described} isDrawn={isDrawn}>
      {isDrawn ? (
        <Graph />
      ) : (
        <>
          <Fields fields={described.fields ?? {}} known={known} />
          {described.kind === "Query" && (
            <p>
              <Link to={place(`#${described.id}`, "sql")}>Run this query</Link>
            </p>
          )}
          {below.length > 0 && <Below members={below} file={described.file ?? ""} />}
          <BackLinks references={references} remaining={remaining} />
        </>
      )}
    </Frame>
  );
}

interface FrameProps {
  described: Described;
  isDrawn: boolean;
  children: ComponentChildren;
}

function Frame({ described, isDrawn, children }: FrameProps) {
  const { id = "", label, kind, file, line, namespace, parent } = described;
  const heading = useArrival(of.value);
  return (
    <article class="object" aria-labelledby="object">
      <p class="about">
        <span class="kind-of">{kind}</span>
        <code>{id}</code>
        {namespace && (
          <span>
            in <Link to={place(namespace)}>{namespace}</Link>
          </span>
        )}
        {parent && parent !== namespace && (
          <span>
            belongs to <Link to={place(parent)}>{parent}</Link>
          </span>
        )}
        {file && <FileLine file={file} line={line ?? 1} />}
      </p>
      <h3 id="object" ref={heading} tabIndex={-1}>
        {label ?? id}
      </h3>
      <nav class="parts" aria-label="Views of the object">
        <Link to={place(of.value)} aria-current={isDrawn ? undefined : "page"}>
          Fields
        </Link>
        <Link to={place(of.value, "graph")} aria-current={isDrawn ? "page" : undefined}>
          Graph
        </Link>
      </nav>
      {children}
    </article>
  );
}

/** What `tower.height` names is no object but one of its fields. */
function FieldPage({ described }: { described: Described }) {
  const { object_id = "", field, value, type } = described;
  return (
    <article class="object" aria-labelledby="object">
      <p class="about">
        <span class="kind-of">{type}</span>
        <span>
          a field of <Link to={place(object_id)}>{object_id}</Link>
        </span>
      </p>
      <h3 id="object">{field}</h3>
      <Value value={value} known={[]} />
    </article>
  );
}

function Below({ members, file }: { members: readonly Member[]; file: string }) {
  return (
    <section class="below" aria-labelledby="below">
      <h4 id="below">Belongs to it</h4>
      <ul class="members">
        {members.map(({ id, name, kind }) => (
          <li key={id}>
            <Link to={place(refOf({ file, kind, id }))}>{name}</Link>
            <span class="about">
              <span class="kind-of">{kind}</span>
              <code>{id}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface BackLink {
  file: string;
  id: string;
  kind: string;
  field: string | null;
  reference_line: number;
  start_col: number;
}

function BackLinks({ references, remaining }: { references: BackLink[]; remaining: number }) {
  return (
    <section class="back-links" aria-labelledby="back-links">
      <h4 id="back-links">Spoken of by</h4>
      {references.length === 0 && <p class="notice">Nothing speaks of it.</p>}
      <ul class="members">
        {references.map(({ file, id, kind, field, reference_line, start_col }) => (
          <li key={`${id} ${reference_line}:${start_col}`}>
            <Link to={place(refOf({ file, kind, id }))}>{id}</Link>
            <span class="about">
              <span class="kind-of">{kind}</span>
              {field && <code>{field}</code>}
              <FileLine file={file} line={reference_line} />
            </span>
          </li>
        ))}
      </ul>
      {remaining > 0 && <p class="notice">… and {remaining} more.</p>}
    </section>
  );
}
