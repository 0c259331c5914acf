import { counted } from "../../src/text/counted.ts";
import { screen } from "../address.ts";
import { library } from "../collections/library.ts";
import { Link } from "../link.tsx";
import { AddFolder } from "./add-folder.tsx";
import { Clients } from "./clients.tsx";
import { Collections } from "./collections.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Health } from "./health.tsx";
import { waiting } from "./house.ts";
import { Models } from "./models.tsx";
import { RunningWork } from "./running-work.tsx";

/** Before anything is looked for: what there is and how it stands, or what to do first. */
export function Home() {
  const status = library.answer.value;
  if (library.failure.value) return <p class="notice">{library.failure.value}</p>;
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
      <aside aria-label="How things stand">
        <RunningWork />
        <Health />
        {!isEmpty && <Models status={status} />}
        <Clients />
      </aside>
    </div>
  );
}

function Waiting() {
  const count = waiting.answer.value;
  if (!count) return null;
  return (
    <p class="waiting">
      <Link to={screen("review")}>
        {counted(count, "proposal")} {count === 1 ? "waits" : "wait"} for you
      </Link>
    </p>
  );
}
