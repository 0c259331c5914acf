import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { dragged, drop, edit, fold, folded } from "./codebook-state.ts";
import { type Category, type Code, categories, codes } from "./project.ts";
import { Swatch } from "./swatch.tsx";
import { type Branch, treeOf } from "./tree.ts";

/** Categories with their codes, and how often each code is used. */
export function Codebook() {
  const tree = treeOf({ categories: categories.value, codes: codes.value });
  return (
    <section class="codebook" aria-labelledby="codebook" onKeyDown={stepRows}>
      <header>
        <h3 id="codebook">Codes</h3>
        <button type="button" class="quiet" onClick={() => edit({ kind: "new category" })}>
          New category
        </button>
      </header>
      {codes.value.length === 0 && (
        <p class="about">None yet. Select some words and press c; a new name becomes a code.</p>
      )}
      <Branches of={tree} />
      {dragged.value && (
        <DropPlace into={undefined}>
          <p class="top">Out of every category</p>
        </DropPlace>
      )}
    </section>
  );
}

function Branches({ of }: { of: readonly Branch[] }) {
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

function CategoryRow({ category, below }: { category: Category; below: readonly Branch[] }) {
  const { id, name, memo } = category;
  const isFolded = folded.value.has(id);
  return (
    <li>
      <DropPlace into={category}>
        <div class="counted category">
          <button
            type="button"
            class="fold"
            aria-expanded={!isFolded}
            aria-label={`Codes in ${name}`}
            onClick={() => fold(id)}
          >
            {isFolded ? "▸" : "▾"}
          </button>
          <Row what={category} kind="category" title={memo}>
            {name}
          </Row>
          <Count number={below.length} of="entries" />
        </div>
      </DropPlace>
      {!isFolded && <Branches of={below} />}
    </li>
  );
}

function CodeRow({ code, below }: { code: Code; below: readonly Branch[] }) {
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

/** Opens for a change; a mouse drags it into a category, which the window that opens does as well. */
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
        // A browser gives up a drag whose beginning changes the page.
        setTimeout(() => {
          dragged.value = what;
        });
      }}
      onDragEnd={() => {
        dragged.value = undefined;
      }}
      onClick={() => edit({ kind, id: what.id })}
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

interface DropPlaceProps {
  into: Category | undefined;
  children: ComponentChildren;
}

function DropPlace({ into, children }: DropPlaceProps) {
  const isOver = useSignal(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: without a mouse, “Move to” does the same
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
        void drop(into);
      }}
    >
      {children}
    </div>
  );
}

/** Arrows go from row to row. */
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
