import { signal } from "@preact/signals";
import { counted } from "../../src/text/counted.ts";
import { screen } from "../address.ts";
import { call, type Output } from "../client.ts";
import { Link } from "../link.tsx";
import { Preview } from "../review/preview.tsx";
import { FileLine } from "./file-line.tsx";
import { Look } from "./look.tsx";
import { type Detection, driftsIn, lookAt } from "./looks.ts";
import { path } from "./place.ts";

type Data = Output<"sync_code_to_docs">["data"];

/** What the last act did, or why it could not be done. */
const outcome = signal("");

export function Drift() {
  return (
    <Look of={lookAt("drift", path.value)} title="Drift">
      {({ data }) => (
        <>
          <p class="lead">{headline(data)}</p>
          <p role="status" class="notice">
            {outcome.value}
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
      {diff !== "" && (
        <>
          <h4>What would be written</h4>
          <Preview text={diff} />
        </>
      )}
      <p class="acts">
        {diff !== "" && (
          <button type="button" class="yes" onClick={write}>
            Write these changes
          </button>
        )}
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

const write = (): void => {
  act("Written. It can be taken back under Review.", () =>
    call("sync_code_to_docs", { projectPath: path.peek(), mode: "apply" }),
  );
};

const accept = (): void => {
  act("From now on the code as it is now is compared with.", () =>
    call("accept_documentation_drift", { projectPath: path.peek() }),
  );
};

/** Does something, says so and looks again. */
function act(said: string, run: () => Promise<unknown>): void {
  const here = path.peek();
  run().then(
    () => {
      outcome.value = said;
      lookAt("drift", here).begin();
    },
    (error: Error) => {
      outcome.value = error.message;
    },
  );
}
