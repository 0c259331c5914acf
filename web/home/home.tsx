import { pluralise } from "../../src/text/strings/pluralise.ts";
import { screenAddress } from "../app/address.ts";
import { libraryStatus } from "../collections/library-status.ts";
import { Link } from "../components/link.tsx";
import { AddFolder } from "./add-folder.tsx";
import { Clients } from "./clients.tsx";
import { Collections } from "./collections.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Health } from "./health.tsx";
import { Models } from "./models.tsx";
import { RunningWork } from "./running-work.tsx";
import { pendingProposalCount } from "./system-state.ts";

/** The start page: collections and status, or the first steps for an empty library. */
export function Home() {
  const status = libraryStatus.answer.value;
  if (libraryStatus.failure.value) return <p class="notice">{libraryStatus.failure.value}</p>;
  if (!status) return null;
  const isEmpty = status.collections.length === 0;
  return (
    <div class="home">
      <div class="holdings">
        <Waiting />
        {isEmpty ? <FirstSteps /> : <Collections status={status} />}
        {!isEmpty && (
          <details class="add">
            <summary>Add a folder</summary>
            <AddFolder />
          </details>
        )}
      </div>
      <aside aria-label="Status">
        <RunningWork />
        <Health />
        {!isEmpty && <Models status={status} />}
        <Clients />
      </aside>
    </div>
  );
}

function Waiting() {
  const count = pendingProposalCount.answer.value;
  if (!count) return null;
  return (
    <p class="waiting">
      <Link to={screenAddress("review")}>{pluralise(count, "proposal")} to review</Link>
    </p>
  );
}
