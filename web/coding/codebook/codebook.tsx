import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { type Category, type Code, categories, codes } from "../project-state.ts";
import { Swatch } from "../swatch.tsx";
import { buildCodeTree, type CodeTreeNode } from "./code-tree.ts";
import { dragged, dropInto, folded, openEditor, toggleFolded } from "./codebook-state.ts";

/** The tree of categories and codes, with the number of codings per code. */
export function Codebook() {
  const tree = buildCodeTree({ categories: categories.value, codes: codes.value });
  return (
    <section class="codebook" aria-labelledby="codebook" onKeyDown={stepRows}>
      <header>
        <h3 id="codebook">Codes</h3>
        <button type="button" class="quiet" onClick={() => openEditor({ kind: "new category" })}>
          New category
        </button>
      </header>
      {codes.value.length === 0 && (
        <p class="about">No codes yet. Select some text, press c and type a name for a new code.</p>
      )}
      <Branches of={tree} />
      {dragged.value && (
        <DropTarget into={undefined}>
          <p class="top">Top level</p>
        </DropTarget>
      )}
    </section>
  );
}

function Branches({ of }: { of: readonly CodeTreeNode[] }) {
  if (of.length === 0) return null;
  return (
    <ul>
      {of.map((branch) =>
        branch.kind === "code" ? (
          <CodeRow key={`code ${branch.code.id}`} code={branch.code} below={branch.below} />
        ) : (
          <CategoryRow
            key={`category ${branch.category.id}`}
            category={branch.category}
            below={branch.below}
          />
        ),
      )}
    </ul>
  );
}

function CategoryRow({ category, below }: { category: Category; below: readonly CodeTreeNode[] }) {
  const { id, name, memo } = category;
  const isFolded = folded.value.has(id);
  return (
    <li>
      <DropTarget into={category}>
        <div class="counted category">
          <button
            type="button"
            class="fold"
            aria-expanded={!isFolded}
            aria-label={`Codes in ${name}`}
            onClick={() => toggleFolded(id)}
          >
            {isFolded ? "▸" : "▾"}
          </button>
          <Row what={category} kind="category" title={memo}>
            {name}
          </Row>
          <Count number={below.length} of="entries" />
        </div>
      </DropTarget>
      {!isFolded && <Branches of={below} />}
    </li>
  );
}

function CodeRow({ code, below }: { code: Code; below: readonly CodeTreeNode[] }) {
  const { name, color, memo, segment_count } = code;
  return (
    <li>
      <div class="counted">
        <Swatch color={color} />
        <Row what={code} kind="code" title={memo}>
          {name}
        </Row>
        <Count number={segment_count} of="codings" />
      </div>
      <Branches of={below} />
    </li>
  );
}

interface RowProps {
  what: Code | Category;
  kind: "code" | "category";
  title: string | null;
  children: ComponentChildren;
}

/** Opens the editor. A mouse can also drag the row into a category; the editor can do the same. */
function Row({ what, kind, title, children }: RowProps) {
  return (
    <button
      type="button"
      class="name"
      data-row
      title={title || undefined}
      draggable
      onDragStart={(event) => {
        event.dataTransfer?.setData("text/plain", what.name);
        // Browsers cancel a drag if its dragstart handler changes the DOM.
        setTimeout(() => {
          dragged.value = what;
        });
      }}
      onDragEnd={() => {
        dragged.value = undefined;
      }}
      onClick={() => openEditor({ kind, id: what.id })}
    >
      {children}
    </button>
  );
}

function Count({ number, of }: { number: number; of: string }) {
  return (
    <span class="number">
      {number}
      <span class="unseen"> {of}</span>
    </span>
  );
}

interface DropTargetProps {
  into: Category | undefined;
  children: ComponentChildren;
}

function DropTarget({ into, children }: DropTargetProps) {
  const isOver = useSignal(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the “Move to” fields do the same by keyboard
    <div
      class={isOver.value ? "drop over" : "drop"}
      onDragOver={(event) => {
        if (!dragged.value) return;
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => {
        isOver.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        void dropInto(into);
      }}
    >
      {children}
    </div>
  );
}

/** Arrow keys move the focus from row to row. */
function stepRows(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const section = event.currentTarget;
  if (!step || !(section instanceof Element)) return;
  const rows = [...section.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.findIndex((row) => row.matches(":focus"));
  const next = rows[at + step];
  if (!next) return;
  next.focus();
  event.preventDefault();
}
