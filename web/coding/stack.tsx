import { signal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { remove } from "./applying.ts";
import { Swatch } from "./codebook.tsx";
import { codeOf, isAgent, opened } from "./project.ts";

/** The codings of the run that was opened. */
const stack = signal<readonly number[]>([]);

export function openStack(ids: readonly number[]): void {
  stack.value = ids;
}

const close = (): void => openStack([]);

/** Everything that a run is coded with, one by one. */
export function Stack() {
  const sheet = useRef<HTMLDialogElement>(null);
  const segments = opened.answer.value?.segments ?? [];
  const shown = segments.filter(({ id }) => stack.value.includes(id));
  const isOpen = shown.length > 0;
  useSignalEffect(() => {
    const isWanted = stack.value.length > 0;
    if (isWanted && !sheet.current?.open) sheet.current?.showModal();
    if (!isWanted) sheet.current?.close();
  });
  return (
    <dialog ref={sheet} class="sheet" aria-labelledby="stack" onClose={close}>
      <h3 id="stack">Coded here</h3>
      <ul>
        {shown.map((segment) => (
          <li key={segment.id}>
            <p class="code">
              <Swatch color={codeOf(segment.code_id)?.color} isAgent={isAgent(segment.owner)} />
              {codeOf(segment.code_id)?.name}
            </p>
            <p class="about">
              {segment.owner}
              {isAgent(segment.owner) && " · agent"}
              {segment.importance > 0 && ` · importance ${segment.importance}`}
            </p>
            <blockquote>{segment.selected_text}</blockquote>
            {segment.memo && <p>{segment.memo}</p>}
            <button
              type="button"
              onClick={async () => {
                await remove(segment);
                openStack(stack.value.filter((id) => id !== segment.id));
                sheet.current?.querySelector<HTMLElement>("[type=submit]")?.focus();
              }}
            >
              Remove <span class="unseen">{codeOf(segment.code_id)?.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {!isOpen && <p class="about">Nothing is coded here any more.</p>}
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
