import { computed, signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Tree as WorkspaceTree } from "../../src/shelves/objects/tree.ts";
import { counted } from "../../src/text/counted.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { Link } from "../link.tsx";
import { FileLine } from "./file-line.tsx";
import { type Named, of, part, path, place, refOf } from "./place.ts";

const mode = computed(() => {
  if (of.value !== "") return undefined;
  return part.value === "" ? "namespace" : part.value === "files" ? "file" : undefined;
});

const trees = asking((signal) =>
  path.value && mode.value
    ? call("qmdc_get_tree", { path: path.value, mode: mode.value }, signal).then(treesIn)
    : undefined,
);

/** One tree stands in the answer itself, several in a list. */
function treesIn(answer: Output<"qmdc_get_tree">): WorkspaceTree[] {
  // The schema leaves a tree open; this is what the shelf makes of it.
  const several = answer.workspaces as WorkspaceTree[] | undefined;
  return several ?? ("id" in answer ? [answer as unknown as WorkspaceTree] : []);
}

const query = signal("");

const found = asking((signal) =>
  path.value && mode.value && query.value.trim()
    ? call(
        "qmdc_search_objects",
        { path: path.value, query: query.value.trim(), limit: 50 },
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
        {trees.failure.value ?? found.failure.value ?? statusOf()}
      </p>
      {query.value.trim() ? <Found /> : <Trees />}
    </section>
  );
}

function statusOf(): string {
  if (query.value.trim()) {
    const { items = [], total = 0 } = found.answer.value ?? {};
    if (!found.answer.value) return "";
    const shown = items.length < total ? `, the best ${items.length} of them here` : "";
    return total === 0 ? "Nothing found" : `${counted(total, "object")} found${shown}`;
  }
  return "";
}

function Found() {
  return (
    <ul class="members">
      {found.answer.value?.items.map((item) => (
        <Member key={refOf(item)} {...item} label={item.name} hasKind />
      ))}
    </ul>
  );
}

function Trees() {
  const all = trees.answer.value ?? [];
  if (trees.answer.value && all.every(isEmpty)) {
    return <p class="notice">No object is defined here yet.</p>;
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
          about={counted(count, "object")}
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
  /** At first; whoever reads may change it. */
  isOpen: boolean;
  children: () => ComponentChildren;
}

/** What is closed is not drawn, so that thousands of objects are a short page. */
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

/** So many are shown open; more would be a wall. */
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
      <Member key={refOf(object)} {...object} hasKind={hasKind} />
    ))}
  </ul>
);

interface MemberProps extends Named {
  label: string;
  line: number;
  hasKind?: boolean | undefined;
}

function Member({ hasKind, ...object }: MemberProps) {
  return (
    <li>
      <Link to={place(refOf(object))}>{object.label}</Link>
      <span class="about">
        {hasKind && <span class="kind-of">{object.kind}</span>}
        <code>{object.id}</code>
        <FileLine file={object.file} line={object.line} />
      </span>
    </li>
  );
}
