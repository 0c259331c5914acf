import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Window } from "../window.tsx";
import { remove, said } from "./applying.ts";
import { labelOf } from "./bands.ts";
import { coderOf, nameOf } from "./coders.ts";
import { ImportanceLevels } from "./importance.tsx";
import { borderMoveOf } from "./movement.ts";
import { codeOf, opened, type Segment } from "./project.ts";
import { eraseFrom, moveBorder, noteDown } from "./recoding.ts";
import { selected } from "./selection.ts";
import { openStack, stack } from "./stack-state.ts";
import { Swatch } from "./swatch.tsx";
import type { Move } from "./words.ts";

const close = (): void => openStack([]);

/** Everything that a run is coded with, one by one. */
export function Stack() {
  const shown = (opened.value?.segments ?? []).filter(({ id }) => stack.value.includes(id));
  if (stack.value.length === 0) return null;
  return (
    <Window title="Coded here" close={close}>
      <p class="outcome" role="status">
        {said.value}
      </p>
      <ul class="stack">
        {shown.map((segment) => (
          <OneCoding key={segment.id} segment={segment} />
        ))}
      </ul>
      {shown.length === 0 && <p class="about">Nothing is coded here any more.</p>}
    </Window>
  );
}

function OneCoding({ segment }: { segment: Segment }) {
  const name = labelOf(segment);
  const coder = coderOf(segment.owner);
  return (
    <li
      onKeyDown={(event) => {
        const move = borderMoveOf(event);
        if (!move || event.target instanceof HTMLTextAreaElement) return;
        event.preventDefault();
        void moveBorder(segment, move);
      }}
    >
      <p class="code">
        <Swatch color={codeOf(segment.code_id)?.color} pattern={coder.pattern} />
        {name}
      </p>
      <p class="about">{nameOf(coder)}</p>
      <blockquote>{segment.selected_text}</blockquote>
      <Noted segment={segment} name={name} />
      <div class="borders">
        {borders.map(([border, moves]) => (
          <fieldset key={border}>
            <legend>{border}</legend>
            {moves.map(([label, sign, move]) => (
              <button
                key={move}
                type="button"
                aria-label={`${border} a word ${label}: ${name}`}
                onClick={() => void moveBorder(segment, move)}
              >
                {sign}
              </button>
            ))}
          </fieldset>
        ))}
      </div>
      <p class="acts">
        {selected.value && (
          <button
            type="button"
            onClick={async () => {
              await eraseFrom(segment);
              close();
            }}
          >
            Erase what is selected<span class="unseen"> from {name}</span>
          </button>
        )}
        <button
          type="button"
          onClick={async () => {
            await remove(segment);
            openStack(stack.value.filter((id) => id !== segment.id));
          }}
        >
          Remove <span class="unseen">{name}</span>
        </button>
      </p>
    </li>
  );
}

const borders: readonly [border: string, moves: readonly [string, string, Move][]][] = [
  [
    "Begins",
    [
      ["earlier", "← earlier", "earlier"],
      ["later", "later →", "later"],
    ],
  ],
  [
    "Ends",
    [
      ["earlier", "← earlier", "shorter"],
      ["later", "later →", "longer"],
    ],
  ],
];

/** Memo and importance, kept when somebody leaves the field. */
function Noted({ segment, name }: { segment: Segment; name: string }) {
  const memo = useRef<HTMLTextAreaElement>(null);
  const isChanged = useSignal(false);
  const keep = async (): Promise<void> => {
    if (!isChanged.value) return;
    isChanged.value = !(await noteDown(segment, { memo: memo.current?.value ?? "" }));
  };
  return (
    <div class="noted">
      <label>
        <span>
          Memo<span class="unseen"> of {name}</span>
        </span>
        <textarea
          ref={memo}
          rows={2}
          defaultValue={segment.memo ?? ""}
          onInput={() => {
            isChanged.value = true;
          }}
          onBlur={() => void keep()}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void keep();
          }}
        />
      </label>
      <label>
        <span>
          Importance<span class="unseen"> of {name}</span>
        </span>
        <select
          value={segment.importance}
          onChange={(event) =>
            void noteDown(segment, { importance: Number(event.currentTarget.value) })
          }
        >
          <ImportanceLevels />
        </select>
      </label>
    </div>
  );
}
