import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { TitledDialog } from "../../components/window.tsx";
import { coderName, coderOf } from "../coders.ts";
import { removeSegment, statusMessage } from "../coding-actions.ts";
import { codeOf, openedSource, type Segment } from "../project-state.ts";
import { Swatch } from "../swatch.tsx";
import { codeLabel } from "../text/overlays.ts";
import { selected } from "../text/selection.ts";
import { borderMoveOf } from "../text/selection-keys.ts";
import type { SelectionMove } from "../text/word-selection.ts";
import { ImportanceLevels } from "./importance.tsx";
import { eraseSelectionFrom, moveBorder, saveSegmentNote } from "./segment-edits.ts";
import { openSegmentIds, openSegments } from "./segment-window-state.ts";

const close = (): void => openSegments([]);

/** The dialog with all codings of a run of text. */
export function SegmentWindow() {
  const shown = (openedSource.value?.segments ?? []).filter(({ id }) =>
    openSegmentIds.value.includes(id),
  );
  if (openSegmentIds.value.length === 0) return null;
  return (
    <TitledDialog title="Coded here" close={close}>
      <p class="outcome" role="status">
        {statusMessage.value}
      </p>
      <ul class="stack">
        {shown.map((segment) => (
          <SegmentItem key={segment.id} segment={segment} />
        ))}
      </ul>
      {shown.length === 0 && <p class="about">No codings here any more.</p>}
    </TitledDialog>
  );
}

function SegmentItem({ segment }: { segment: Segment }) {
  const name = codeLabel(segment);
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
      <p class="about">{coderName(coder)}</p>
      <blockquote>{segment.selected_text}</blockquote>
      <SegmentNotes segment={segment} name={name} />
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
              await eraseSelectionFrom(segment);
              close();
            }}
          >
            Erase selection<span class="unseen"> from {name}</span>
          </button>
        )}
        <button
          type="button"
          onClick={async () => {
            await removeSegment(segment);
            openSegments(openSegmentIds.value.filter((id) => id !== segment.id));
          }}
        >
          Remove <span class="unseen">{name}</span>
        </button>
      </p>
    </li>
  );
}

const borders: readonly [border: string, moves: readonly [string, string, SelectionMove][]][] = [
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

/** Memo and importance. The memo is saved when its field loses the focus. */
function SegmentNotes({ segment, name }: { segment: Segment; name: string }) {
  const memo = useRef<HTMLTextAreaElement>(null);
  const isChanged = useSignal(false);
  const saveMemo = async (): Promise<void> => {
    if (!isChanged.value) return;
    isChanged.value = !(await saveSegmentNote(segment, { memo: memo.current?.value ?? "" }));
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
          onBlur={() => void saveMemo()}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void saveMemo();
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
            void saveSegmentNote(segment, { importance: Number(event.currentTarget.value) })
          }
        >
          <ImportanceLevels />
        </select>
      </label>
    </div>
  );
}
