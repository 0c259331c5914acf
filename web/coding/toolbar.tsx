import { KeyButton } from "../components/key-button.tsx";
import { coderName, coders } from "./coders.ts";
import {
  applyCode,
  applyInVivoCode,
  isPicking,
  nothingSelected,
  redoLast,
  statusMessage,
  undoLast,
} from "./coding-actions.ts";
import { PlacementBar } from "./inbox/inbox.tsx";
import { openedSource } from "./project-state.ts";
import { recentCodes } from "./segments/recent-codes.ts";
import { eraseSelection } from "./segments/segment-edits.ts";
import { Swatch } from "./swatch.tsx";
import { focusAdjacentCoding } from "./text/coding-navigation.ts";
import { selected, selectSpan } from "./text/selection.ts";
import { sentenceAround } from "./text/word-selection.ts";

/** The actions on the selection, each with its key. */
export function CodingToolbar() {
  return (
    <div class="tools">
      <PlacementBar />
      <div role="toolbar" aria-label="Coding" class="acts">
        {acts.map(({ key, label, act }) => (
          <KeyButton key={key} shortcut={key} onClick={act}>
            {label}
          </KeyButton>
        ))}
      </div>
      {recentCodes.value.length > 0 && (
        <div role="toolbar" aria-label="Recent codes" class="recent">
          {recentCodes.value.map((code, index) => (
            <button
              key={code.id}
              type="button"
              aria-keyshortcuts={String(index + 1)}
              onClick={withSelection(() => void applyCode(code))}
            >
              <kbd>{index + 1}</kbd>
              <Swatch color={code.color} />
              <span class="name">{code.name}</span>
            </button>
          ))}
        </div>
      )}
      <p class="outcome" role="status">
        {statusMessage.value}
      </p>
    </div>
  );
}

const withSelection = (act: () => void) => (): void => {
  if (selected.value) act();
  else statusMessage.value = nothingSelected;
};

function pick(): void {
  statusMessage.value = "";
  isPicking.value = true;
}

function selectSentence(): void {
  const source = openedSource.value;
  if (!source || !selected.value) return;
  selectSpan(source, sentenceAround(source.content, selected.value));
}

const acts: readonly { key: string; label: string; act: () => void }[] = [
  { key: "c", label: "Code", act: withSelection(pick) },
  { key: "v", label: "In vivo", act: withSelection(() => void applyInVivoCode()) },
  { key: "s", label: "Sentence", act: withSelection(selectSentence) },
  { key: "x", label: "Erase", act: () => void eraseSelection() },
  { key: "p", label: "Previous", act: () => focusAdjacentCoding(-1) },
  { key: "n", label: "Next", act: () => focusAdjacentCoding(1) },
  { key: "u", label: "Undo", act: () => void undoLast() },
  { key: "r", label: "Redo", act: () => void redoLast() },
];

/** The coders and their patterns, in the order of their lanes in the margin. */
export function CoderLegend() {
  if (coders.value.length === 0) return null;
  return (
    <ul class="coders" aria-label="Coders">
      {coders.value.map((coder) => (
        <li key={coder.name}>
          <Swatch color={null} pattern={coder.pattern} />
          {coderName(coder)}
        </li>
      ))}
    </ul>
  );
}
