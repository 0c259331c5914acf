import { useSignal } from "@preact/signals";
import { call, type Output } from "../client.ts";
import { attempt } from "./applying.ts";
import { closeEditing } from "./codebook-state.ts";
import { type Code, codes } from "./project.ts";

/** Gives all codings to another code, once somebody has seen what moves. */
export function Merging({ code }: { code: Code }) {
  const target = useSignal("");
  const shown = useSignal<Output<"merge_codes"> | undefined>(undefined);
  const about = { source_code_id: code.id, target_code_id: Number(target.value) };
  const look = async (id: string): Promise<void> => {
    target.value = id;
    shown.value = undefined;
    if (!id) return;
    await attempt(async () => {
      shown.value = await call("merge_codes", { ...about, target_code_id: Number(id) });
      return undefined;
    });
  };
  const merge = async (): Promise<void> => {
    const preview_token = shown.value?.preview_token;
    const isDone = await attempt(async () => {
      await call("merge_codes", { ...about, confirm: true, preview_token });
      return `Merged ${code.name}.`;
    });
    if (isDone) closeEditing();
    else await look(target.value);
  };
  return (
    <details class="task">
      <summary>Merge into another code</summary>
      <label>
        Into
        <select value={target.value} onChange={(event) => void look(event.currentTarget.value)}>
          <option value="">Choose a code</option>
          {codes.value
            .filter(({ id }) => id !== code.id)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </select>
      </label>
      {shown.value && (
        <>
          <p role="status">{shown.value.message}.</p>
          <p class="acts">
            <button type="button" class="no" onClick={() => void merge()}>
              Merge
            </button>
          </p>
        </>
      )}
    </details>
  );
}
