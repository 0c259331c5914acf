import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { hasCharacterKeys, isSheetOpen, keys } from "./keys.ts";

export function KeySheet() {
  const sheet = useRef<HTMLDialogElement>(null);
  useSignalEffect(() => {
    if (isSheetOpen.value) sheet.current?.showModal();
    else sheet.current?.close();
  });
  return (
    <dialog
      ref={sheet}
      class="keys"
      aria-labelledby="keys"
      onClose={() => {
        isSheetOpen.value = false;
      }}
    >
      <h2 id="keys">Keys</h2>
      <dl>
        {keys.map(([names, act]) => (
          <div key={act}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{act}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input
          type="checkbox"
          checked={hasCharacterKeys}
          onChange={(event) => {
            hasCharacterKeys.value = event.currentTarget.checked;
          }}
        />
        Keys of a single character
      </label>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
