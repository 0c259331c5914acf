import { signal } from "@preact/signals";
import { counted } from "../../src/text/counted.ts";
import { screen } from "../address.ts";
import { call, type Output } from "../client.ts";
import { Link } from "../link.tsx";
import { FileLine } from "./file-line.tsx";
import { Look } from "./look.tsx";
import { type Detection, driftsIn, lookAt } from "./looks.ts";
import { path } from "./place.ts";
import { Writing } from "./writing.tsx";

type Data = Output<"sync_code_to_docs">["data"];

/** What the last act did to which repository, or why it could not be done. */
const outcome = signal({ path: "", words: "" });

export function Drift() {
  return (
    <Look of={lookAt("drift", path.value)} title="Drift">
      {({ data }) => (
        <>
          <p class="lead">{headline(data)}</p>
          <p role="status" class="notice">
            {outcome.value.path === path.value && outcome.value.words}
          </p>
          {data.snapshotId === null ? <NoBaseline /> : <Found data={data} />}
        </>
      )}
    </Look>
  );
}

function headline(data: Data): string {
  if (data.snapshotId === null) return "There is nothing yet to compare the code with.";
  const { length } = driftsIn(data).flatMap(({ drifts }) => drifts);
  return length === 0
    ? "The pages agree with the code."
    : `${counted(length, "symbol")} changed since pages spoke of ${length === 1 ? "it" : "them"}`;
}

function NoBaseline() {
  return (
    <>
      <p class="notice">
        Let the code as it is now be remembered. From then on you see here which symbols were
        removed, renamed or changed while pages still speak of the former.
      </p>
      <p>
        <button
          type="button"
          class="yes"
          onClick={() =>
            act("The code is remembered as it is now.", () =>
              call("sync_code_to_docs", { projectPath: path.peek(), createSnapshot: true }),
            )
          }
        >
          Remember the code
        </button>
      </p>
    </>
  );
}

function Found({ data }: { data: Data }) {
  const found = driftsIn(data);
  if (found.length === 0) return null;
  const diff = typeof data.diff === "string" ? data.diff : "";
  const waiting = data.pendingChanges.filter(({ proposalId }) => proposalId !== undefined);
  return (
    <>
      {found.map((detection) => (
        <OfFile key={detection.filePath} detection={detection} />
      ))}
      {waiting.length > 0 && (
        <p>
          <Link to={screen("review")}>{counted(waiting.length, "proposal")} under Review</Link>
        </p>
      )}
      {diff !== "" && <Writing key={diff} diff={diff} write={() => write(diff)} />}
      <p class="acts">
        <button type="button" onClick={accept}>
          The pages are right as they are
        </button>
      </p>
    </>
  );
}

const changesInWords = {
  removed: "is gone",
  renamed: "has another name",
  signature: "is called another way",
};

function OfFile({ detection: { filePath, drifts } }: { detection: Detection }) {
  return (
    <ul class="drifts">
      {drifts.map(({ symbol, change, line, newFile, before, after, references }) => (
        <li key={`${symbol} ${line}`}>
          <p>
            <code>{symbol}</code> {changesInWords[change]}
            <span class="about">
              <FileLine file={newFile ?? filePath} line={line} />
            </span>
          </p>
          <p class="signatures">
            <del>{before}</del>
            {after && <ins>{after}</ins>}
          </p>
          <ul>
            {references.map(({ page, line: at, text }) => (
              <li key={`${page}:${at} ${text}`}>
                <FileLine file={page} line={at} /> <q>{text}</q>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** Writes what was shown, or nothing where it would be something else by now. */
const write = (shown: string): void => {
  const projectPath = path.peek();
  act("Written. It can be taken back under Review.", async () => {
    const { data } = await call("sync_code_to_docs", {
      projectPath,
      mode: "preview",
      createSnapshot: false,
    });
    if (data.diff !== shown) {
      throw new Error("Nothing was written: files have changed, and with them what would be.");
    }
    await call("sync_code_to_docs", { projectPath, mode: "apply" });
  });
};

const accept = (): void => {
  act("From now on the code as it is now is compared with.", () =>
    call("accept_documentation_drift", { projectPath: path.peek() }),
  );
};

/** Does something, says what came of it and looks again. */
function act(said: string, run: () => Promise<unknown>): void {
  const here = path.peek();
  const tell = (words: string): void => {
    outcome.value = { path: here, words };
    lookAt("drift", here).begin();
  };
  run().then(
    () => tell(said),
    (error: Error) => tell(error.message),
  );
}
