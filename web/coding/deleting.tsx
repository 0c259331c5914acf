import { useSignal } from "@preact/signals";
import { call, type Output } from "../client.ts";
import { attempt } from "./applying.ts";
import { closeEditing } from "./codebook-state.ts";
import type { Code } from "./project.ts";

/** Deletes a code with its codings, once somebody has seen how many there are. */
export function Deleting({ code }: { code: Code }) {
  const shown = useSignal<Output<"delete_code"> | undefined>(undefined);
  const about = { code_id: code.id, delete_segments: true };
  const look = (): Promise<boolean> =>
    attempt(async () => {
      shown.value = await call("delete_code", about);
      return undefined;
    });
  const remove = async (): Promise<void> => {
    const preview_token = shown.value?.preview_token;
    const isDone = await attempt(async () => {
      await call("delete_code", { ...about, confirm: true, preview_token });
      return `Deleted ${code.name}.`;
    });
    if (isDone) closeEditing();
    else await look();
  };
  return (
    <details
      class="task"
      onToggle={(event) => {
        if (event.currentTarget.open) void look();
      }}
    >
      <summary>Delete</summary>
      {shown.value && (
        <>
          <p role="status">{shown.value.message}.</p>
          <p class="acts">
            <button type="button" class="no" onClick={() => void remove()}>
              Delete {code.name}
            </button>
          </p>
        </>
      )}
    </details>
  );
}
