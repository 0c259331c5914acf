import type { ComponentChildren } from "preact";
import { Link, useHeadingFocus } from "../components/link.tsx";
import { FieldValue, ObjectFields } from "./fields.tsx";
import { Graph } from "./graph.tsx";
import { ObjectFileLink } from "./object-file-link.tsx";
import { objectItem, objectRefOf, objectsAddress, objectsPart } from "./objects-address.ts";
import { type Member, type ObjectDescription, selectedObject } from "./selected-object.ts";

/** One object: its fields or its graph, and the references to it. */
export function ObjectPage() {
  const answer = selectedObject.answer.value;
  if (selectedObject.failure.value) {
    return (
      <section class="nothing-here">
        <p class="notice">{selectedObject.failure.value}</p>
        <p>
          <Link to={objectsAddress()}>All objects</Link>
        </p>
      </section>
    );
  }
  if (answer?.ref !== objectItem.value) return <p class="notice">Loading…</p>;
  const { described, known = [], references = [], remaining = 0, below = [] } = answer;
  if (described.id === undefined) return <FieldPage described={described} />;
  const isDrawn = objectsPart.value.startsWith("graph");
  return (
    <Frame described={described} isDrawn={isDrawn}>
      {isDrawn ? (
        <Graph />
      ) : (
        <>
          <ObjectFields fields={described.fields ?? {}} known={known} />
          {described.kind === "Query" && (
            <p>
              <Link to={objectsAddress(`#${described.id}`, "sql")}>Run this query</Link>
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
  described: ObjectDescription;
  isDrawn: boolean;
  children: ComponentChildren;
}

function Frame({ described, isDrawn, children }: FrameProps) {
  const { id = "", label, kind, file, line, namespace, parent } = described;
  const heading = useHeadingFocus(objectItem.value);
  return (
    <article class="object" aria-labelledby="object">
      <p class="about">
        <span class="kind-of">{kind}</span>
        <code>{id}</code>
        {namespace && (
          <span>
            in <Link to={objectsAddress(namespace)}>{namespace}</Link>
          </span>
        )}
        {parent && parent !== namespace && (
          <span>
            part of <Link to={objectsAddress(parent)}>{parent}</Link>
          </span>
        )}
        {file && <ObjectFileLink file={file} line={line ?? 1} />}
      </p>
      <h3 id="object" ref={heading} tabIndex={-1}>
        {label ?? id}
      </h3>
      <nav class="parts" aria-label="Views of the object">
        <Link to={objectsAddress(objectItem.value)} aria-current={isDrawn ? undefined : "page"}>
          Fields
        </Link>
        <Link
          to={objectsAddress(objectItem.value, "graph")}
          aria-current={isDrawn ? "page" : undefined}
        >
          Graph
        </Link>
      </nav>
      {children}
    </article>
  );
}

/** A field of an object, addressed as `tower.height`. */
function FieldPage({ described }: { described: ObjectDescription }) {
  const { object_id = "", field, value, type } = described;
  return (
    <article class="object" aria-labelledby="object">
      <p class="about">
        <span class="kind-of">{type}</span>
        <span>
          a field of <Link to={objectsAddress(object_id)}>{object_id}</Link>
        </span>
      </p>
      <h3 id="object">{field}</h3>
      <FieldValue value={value} known={[]} />
    </article>
  );
}

function Below({ members, file }: { members: readonly Member[]; file: string }) {
  return (
    <section class="below" aria-labelledby="below">
      <h4 id="below">Parts</h4>
      <ul class="members">
        {members.map(({ id, name, kind }) => (
          <li key={id}>
            <Link to={objectsAddress(objectRefOf({ file, kind, id }))}>{name}</Link>
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
      <h4 id="back-links">Referenced by</h4>
      {references.length === 0 && <p class="notice">No references.</p>}
      <ul class="members">
        {references.map(({ file, id, kind, field, reference_line, start_col }) => (
          <li key={`${id} ${reference_line}:${start_col}`}>
            <Link to={objectsAddress(objectRefOf({ file, kind, id }))}>{id}</Link>
            <span class="about">
              <span class="kind-of">{kind}</span>
              {field && <code>{field}</code>}
              <ObjectFileLink file={file} line={reference_line} />
            </span>
          </li>
        ))}
      </ul>
      {remaining > 0 && <p class="notice">… and {remaining} more.</p>}
    </section>
  );
}
