import { outcome, undoOutcome, waiting } from "./queue.ts";

/** What was just decided, with a way back. */
export function Outcome() {
  const { words, changes } = outcome.value;
  return (
    <div class="outcome">
      <p role="status">{waiting.failure.value ?? words}</p>
      {changes.length > 0 && (
        <button type="button" aria-keyshortcuts="u" onClick={() => void undoOutcome()}>
          {changes.length > 1 ? `Undo these ${changes.length}` : "Undo this"} <kbd>u</kbd>
        </button>
      )}
    </div>
  );
}
