import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { runAndReport } from "../coding-actions.ts";
import { closeEditor } from "./codebook-state.ts";

/** A preview of a change as text, and the token that confirms exactly that change. */
export interface ChangePreview {
  message?: string | undefined;
  preview_token?: string | undefined;
}

interface ConfirmedActionProps {
  /** The label of the button, and the status message after success. */
  act: string;
  done: string;
  /** Without a token, returns a preview. With its token, does exactly what the preview says. */
  run: (preview_token?: string) => Promise<ChangePreview>;
}

/** Shows a preview of a change and the button that confirms it. */
export function ConfirmedAction({ act, done, run }: ConfirmedActionProps) {
  const preview = useSignal<ChangePreview | undefined>(undefined);
  const loadPreview = (): Promise<boolean> =>
    runAndReport(async () => {
      preview.value = await run();
      return undefined;
    });
  const confirm = async (): Promise<void> => {
    const isDone = await runAndReport(async () => {
      await run(preview.value?.preview_token);
      return done;
    });
    if (isDone) closeEditor();
    else await loadPreview();
  };
  useEffect(() => void loadPreview(), []);
  return (
    <>
      <p role="status">{preview.value?.message && `${preview.value.message}.`}</p>
      {preview.value?.preview_token && (
        <p class="acts" ref={reveal}>
          <button type="button" class="no" onClick={() => void confirm()}>
            {act}
          </button>
        </p>
      )}
    </>
  );
}

const reveal = (acts: HTMLElement | null): void => acts?.scrollIntoView({ block: "nearest" });
