import { apply, applyInVivo, isPicking, nothingSelected, redo, said, undo } from "./applying.ts";
import { coders, nameOf } from "./coders.ts";
import { Placing } from "./inbox.tsx";
import { opened } from "./project.ts";
import { recent } from "./recent-codes.ts";
import { erase } from "./recoding.ts";
import { select, selected } from "./selection.ts";
import { stepToCoding } from "./stepping.ts";
import { Swatch } from "./swatch.tsx";
import { sentenceAround } from "./words.ts";

/** What is done with the words that are selected, each by its key. */
export function Tools() {
  return (
    <div class="tools">
      <Placing />
      <div role="toolbar" aria-label="Coding" class="acts">
        {acts.map(({ key, label, act }) => (
          <button key={key} type="button" aria-keyshortcuts={key} onClick={act}>
            {label} <kbd>{key}</kbd>
          </button>
        ))}
      </div>
      {recent.value.length > 0 && (
        <div role="toolbar" aria-label="Recent codes" class="recent">
          {recent.value.map((code, at) => (
            <button
              key={code.id}
              type="button"
              aria-keyshortcuts={String(at + 1)}
              onClick={withSelection(() => void apply(code))}
            >
              <kbd>{at + 1}</kbd>
              <Swatch color={code.color} />
              <span class="name">{code.name}</span>
            </button>
          ))}
        </div>
      )}
      <p class="outcome" role="status">
        {said.value}
      </p>
    </div>
  );
}

const withSelection = (act: () => void) => (): void => {
  if (selected.value) act();
  else said.value = nothingSelected;
};

function pick(): void {
  said.value = "";
  isPicking.value = true;
}

function selectSentence(): void {
  const source = opened.value;
  if (!source || !selected.value) return;
  select(source, sentenceAround(source.content, selected.value));
}

const acts: readonly { key: string; label: string; act: () => void }[] = [
  { key: "c", label: "Code", act: withSelection(pick) },
  { key: "v", label: "In vivo", act: withSelection(() => void applyInVivo()) },
  { key: "s", label: "Sentence", act: withSelection(selectSentence) },
  { key: "x", label: "Erase", act: () => void erase() },
  { key: "p", label: "Previous", act: () => stepToCoding(-1) },
  { key: "n", label: "Next", act: () => stepToCoding(1) },
  { key: "u", label: "Undo", act: () => void undo() },
  { key: "r", label: "Redo", act: () => void redo() },
];

/** Whose lane in the margin is whose, in the order of the lanes. */
export function Coders() {
  if (coders.value.length === 0) return null;
  return (
    <ul class="coders" aria-label="Who has coded here">
      {coders.value.map((coder) => (
        <li key={coder.name}>
          <Swatch color={null} pattern={coder.pattern} />
          {nameOf(coder)}
        </li>
      ))}
    </ul>
  );
}
