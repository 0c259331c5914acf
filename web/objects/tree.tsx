import { computed, signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ObjectTree as WorkspaceTree } from "../../src/shelves/objects/workspace/object-tree.ts";
import { pluralise } from "../../src/text/strings/pluralise.ts";
import { Link } from "../components/link.tsx";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { ObjectFileLink } from "./object-file-link.tsx";
import {
  type ObjectIdentity,
  objectItem,
  objectRefOf,
  objectsAddress,
  objectsPart,
  workspacePath,
} from "./objects-address.ts";

const mode = computed(() => {
  if (objectItem.value !== "") return undefined;
  return objectsPart.value === ""
    ? "namespace"
    : objectsPart.value === "files"
      ? "file"
      : undefined;
});

const trees = createLiveQuery((signal) =>
  workspacePath.value && mode.value
    ? call("qmdc_get_tree", { path: workspacePath.value, mode: mode.value }, signal).then(treesIn)
    : undefined,
);

/** A single tree is the answer itself; several are in a list. */
function treesIn(answer: Output<"qmdc_get_tree">): WorkspaceTree[] {
  // The schema does not type the trees; this is the shape that the server sends.
  const trees = answer.workspaces as WorkspaceTree[] | undefined;
  return trees ?? ("id" in answer ? [answer as unknown as WorkspaceTree] : []);
}

const query = signal("");

const matches = createLiveQuery((signal) =>
  workspacePath.value && mode.value && query.value.trim()
    ? call(
        "qmdc_search_objects",
        { path: workspacePath.value, query: query.value.trim(), limit: 50 },
        signal,
      )
    : undefined,
);

export function Tree({ mode }: { mode: "namespace" | "file" }) {
  return (
    <section class="tree" aria-label={mode === "file" ? "By file" : "By namespace"}>
      <label class="find">
        Find an object
        <input
          type="search"
          value={query.value}
          maxLength={1_000}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            query.value = event.currentTarget.value;
          }}
        />
      </label>
      <p role="status" class="notice">
        {trees.failure.value ?? matches.failure.value ?? statusOf()}
      </p>
      {query.value.trim() ? <Matches /> : <Trees />}
    </section>
  );
}

function statusOf(): string {
  if (query.value.trim()) {
    const { items = [], total = 0 } = matches.answer.value ?? {};
    if (!matches.answer.value) return "";
    const limit = items.length < total ? `, showing the best ${items.length}` : "";
    return total === 0 ? "Nothing found" : `${pluralise(total, "object")} found${limit}`;
  }
  return "";
}

function Matches() {
  return (
    <ul class="members">
      {matches.answer.value?.items.map((item) => (
        <Member key={objectRefOf(item)} {...item} label={item.name} hasKind />
      ))}
    </ul>
  );
}

function Trees() {
  const all = trees.answer.value ?? [];
  if (trees.answer.value && all.every(isEmpty)) {
    return <p class="notice">No objects yet.</p>;
  }
  return all.map((tree) => (
    <div class="workspace-tree" key={tree.id}>
      <h3>{tree.label}</h3>
      {tree.kindGroups?.map((group) => (
        <KindGroup key={group.kind} {...group} />
      ))}
      {tree.namespaces?.map((space) => (
        <Branch key={space.id} name={space.label} about={space.id} isOpen>
          {() => space.kindGroups.map((group) => <KindGroup key={group.kind} {...group} />)}
        </Branch>
      ))}
      {tree.fileGroups?.map(({ file, count, objects }, _, files) => (
        <Branch
          key={file}
          name={file}
          about={pluralise(count, "object")}
          isOpen={files.length <= fewFiles && count <= fewMembers}
        >
          {() => <Members objects={objects} hasKind />}
        </Branch>
      ))}
    </div>
  ));
}

interface BranchProps {
  name: string;
  about: string;
  /** The initial state; the user may change it. */
  isOpen: boolean;
  children: () => ComponentChildren;
}

/** A collapsed branch is not rendered, so that thousands of objects stay cheap. */
function Branch({ name, about, isOpen, children }: BranchProps) {
  const open = useSignal(isOpen);
  return (
    <details
      open={open.value}
      onToggle={(event) => {
        open.value = event.currentTarget.open;
      }}
    >
      <summary>
        {name} <span class="count">{about}</span>
      </summary>
      {open.value && children()}
    </details>
  );
}

/** Groups up to these sizes are expanded. */
const fewFiles = 20;
const fewMembers = 50;

const isEmpty = ({ kindGroups = [], namespaces = [], fileGroups = [] }: WorkspaceTree): boolean =>
  kindGroups.length + namespaces.length + fileGroups.length === 0;

type Group = NonNullable<WorkspaceTree["kindGroups"]>[number];

const KindGroup = ({ kind, count, objects }: Group) => (
  <Branch name={kind} about={String(count)} isOpen={count <= fewMembers}>
    {() => <Members objects={objects} />}
  </Branch>
);

const Members = ({ objects, hasKind }: { objects: Group["objects"]; hasKind?: boolean }) => (
  <ul class="members">
    {objects.map((object) => (
      <Member key={objectRefOf(object)} {...object} hasKind={hasKind} />
    ))}
  </ul>
);

interface MemberProps extends ObjectIdentity {
  label: string;
  line: number;
  hasKind?: boolean | undefined;
}

function Member({ hasKind, ...object }: MemberProps) {
  return (
    <li>
      <Link to={objectsAddress(objectRefOf(object))}>{object.label}</Link>
      <span class="about">
        {hasKind && <span class="kind-of">{object.kind}</span>}
        <code>{object.id}</code>
        <ObjectFileLink file={object.file} line={object.line} />
      </span>
    </li>
  );
}
