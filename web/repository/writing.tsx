import { useSignal } from "@preact/signals";
import { Preview } from "../review/preview.tsx";

/** What would be written. It is written on a second press, of another button than the first. */
export function Writing({ diff, write }: { diff: string; write: () => void }) {
  const isAsked = useSignal(false);
  return (
    <>
      <h4>What would be written</h4>
      <Preview text={diff} />
      <p class="acts">
        <button
          type="button"
          aria-expanded={isAsked.value}
          onClick={() => {
            isAsked.value = !isAsked.value;
          }}
        >
          Write these changes
        </button>
      </p>
      {isAsked.value && (
        <p class="acts">
          The files are changed exactly as shown here.
          <button type="button" class="yes" onClick={write}>
            Write now
          </button>
        </p>
      )}
    </>
  );
}
