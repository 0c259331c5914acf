import { useSignal } from "@preact/signals";
import { call } from "../client.ts";
import { changes } from "../live.ts";

/** Opens a project by its path. */
export function ProjectChoice() {
  const path = useSignal("");
  const problem = useSignal("");
  return (
    <form
      class="choice"
      onSubmit={(event) => {
        event.preventDefault();
        call("open_project", { path: path.value.trim() }).then(
          () => {
            problem.value = "";
            // Which project is open is said by no notice, so everybody asks again.
            changes.value++;
          },
          (error: Error) => {
            problem.value = error.message;
          },
        );
      }}
    >
      <label>
        Folder of a project, such as <code>interviews.qda</code>
        <input
          type="text"
          required
          value={path.value}
          onInput={(event) => {
            path.value = event.currentTarget.value;
          }}
        />
      </label>
      <button type="submit">Open</button>
      <p role="alert">{problem.value}</p>
    </form>
  );
}

/** What to do first, where no project is open. */
export function NoProject() {
  return (
    <section class="nothing" aria-labelledby="no-project">
      <h3 id="no-project">No project is open</h3>
      <p>
        Open a QualCoder project here, or make one at a shell with{" "}
        <code>lectern project create interviews.qda</code>. When an agent opens one, it is shown
        here as well.
      </p>
      <ProjectChoice />
    </section>
  );
}
