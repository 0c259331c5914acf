import { useSignal } from "@preact/signals";
import { type ChangePreview, ConfirmedAction } from "./confirmed-action.tsx";

interface DeletingProps {
  name: string;
  run: (preview_token?: string) => Promise<ChangePreview>;
}

/** Deletes a code or a category, after a preview. */
export function DeleteSection({ name, run }: DeletingProps) {
  const isOpen = useSignal(false);
  return (
    <details
      class="task"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>Delete</summary>
      {isOpen.value && (
        <ConfirmedAction act={`Delete ${name}`} done={`Deleted ${name}.`} run={run} />
      )}
    </details>
  );
}
