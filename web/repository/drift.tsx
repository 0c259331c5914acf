import { signal, useSignal } from "@preact/signals";
import { pluralise } from "../../src/text/strings/pluralise.ts";
import { screenAddress } from "../app/address.ts";
import { Link } from "../components/link.tsx";
import { DiffPreview } from "../review/diff-preview.tsx";
import { call, type Output } from "../server/client.ts";
import { CheckPanel } from "./check-panel.tsx";
import { repositoryPath } from "./repository-address.ts";
import { type DriftDetection, driftsIn, repositoryCheck } from "./repository-checks.ts";
import { RepositoryFileLink } from "./repository-file-link.tsx";

type Data = Output<"sync_code_to_docs">["data"];

/** The result or error of the last action, and its repository. */
const outcome = signal({ path: "", message: "" });

export function Drift() {
  return (
    <CheckPanel of={repositoryCheck("drift", repositoryPath.value)} title="Drift">
      {({ data }) => (
        <>
          <p class="lead">{headline(data)}</p>
          <p role="status" class="notice">
            {outcome.value.path === repositoryPath.value && outcome.value.message}
          </p>
          {data.snapshotId === null ? <NoBaseline /> : <Detections data={data} />}
        </>
      )}
    </CheckPanel>
  );
}

function headline(data: Data): string {
  if (data.snapshotId === null) return "No baseline yet.";
  const { length } = driftsIn(data).flatMap(({ drifts }) => drifts);
  return length === 0
    ? "The pages match the code."
    : `${pluralise(length, "documented symbol")} changed`;
}

function NoBaseline() {
  return (
    <>
      <p class="notice">
        Save the current code as the baseline. After that, symbols that were removed, renamed or
        changed while pages still mention them are listed here.
      </p>
      <p>
        <button
          type="button"
          class="yes"
          onClick={() =>
            runAndRecheck("Saved the baseline.", () =>
              call("sync_code_to_docs", {
                projectPath: repositoryPath.peek(),
                createSnapshot: true,
              }),
            )
          }
        >
          Save baseline
        </button>
      </p>
    </>
  );
}

function Detections({ data }: { data: Data }) {
  const detections = driftsIn(data);
  if (detections.length === 0) return null;
  const diff = typeof data.diff === "string" ? data.diff : "";
  const proposed = data.pendingChanges.filter(({ proposalId }) => proposalId !== undefined);
  return (
    <>
      {detections.map((detection) => (
        <FileDrifts key={detection.filePath} detection={detection} />
      ))}
      {proposed.length > 0 && (
        <p>
          <Link to={screenAddress("review")}>
            {pluralise(proposed.length, "proposal")} to review
          </Link>
        </p>
      )}
      {diff !== "" && <WriteConfirmation key={diff} diff={diff} write={() => write(diff)} />}
      <p class="acts">
        <button type="button" onClick={accept}>
          Accept the pages as they are
        </button>
      </p>
    </>
  );
}

const changeLabels = {
  removed: "was removed",
  renamed: "was renamed",
  signature: "has a new signature",
};

function FileDrifts({ detection: { filePath, drifts } }: { detection: DriftDetection }) {
  return (
    <ul class="drifts">
      {drifts.map(({ symbol, change, line, newFile, before, after, references }) => (
        <li key={`${symbol} ${line}`}>
          <p>
            <code>{symbol}</code> {changeLabels[change]}
            <span class="about">
              <RepositoryFileLink file={newFile ?? filePath} line={line} />
            </span>
          </p>
          <p class="signatures">
            <del>{before}</del>
            {after && <ins>{after}</ins>}
          </p>
          <ul>
            {references.map(({ page, line: at, text }) => (
              <li key={`${page}:${at} ${text}`}>
                <RepositoryFileLink file={page} line={at} /> <q>{text}</q>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** Writes the changes of a diff, unless a new preview differs from it (TOCTOU check). */
const write = (diff: string): void => {
  const projectPath = repositoryPath.peek();
  runAndRecheck("Written. You can undo it under Review.", async () => {
    const { data } = await call("sync_code_to_docs", {
      projectPath,
      mode: "preview",
      createSnapshot: false,
    });
    if (data.diff !== diff) {
      throw new Error("Nothing was written, because files changed meanwhile. Check the new diff.");
    }
    await call("sync_code_to_docs", { projectPath, mode: "apply" });
  });
};

const accept = (): void => {
  runAndRecheck("Accepted. The current code is the new baseline.", () =>
    call("accept_documentation_drift", { projectPath: repositoryPath.peek() }),
  );
};

/** Runs an action, shows its result and repeats the check. */
function runAndRecheck(successMessage: string, run: () => Promise<unknown>): void {
  const path = repositoryPath.peek();
  const report = (message: string): void => {
    outcome.value = { path, message };
    repositoryCheck("drift", path).begin();
  };
  run().then(
    () => report(successMessage),
    (error: Error) => report(error.message),
  );
}

/** A diff to write. Confirmation is a second button, so that a double click cannot write. */
function WriteConfirmation({ diff, write }: { diff: string; write: () => void }) {
  const isConfirming = useSignal(false);
  return (
    <>
      <h4>Proposed changes</h4>
      <DiffPreview text={diff} />
      <p class="acts">
        <button
          type="button"
          aria-expanded={isConfirming.value}
          onClick={() => {
            isConfirming.value = !isConfirming.value;
          }}
        >
          Write these changes
        </button>
      </p>
      {isConfirming.value && (
        <p class="acts">
          The files will be changed exactly as shown.
          <button type="button" class="yes" onClick={write}>
            Write now
          </button>
        </p>
      )}
    </>
  );
}
