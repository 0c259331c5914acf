import { useSignal } from "@preact/signals";
import { call } from "../client.ts";
import { FolderForm } from "../folder-form.tsx";
import { changes } from "../live.ts";

/** Opens a project by its path. */
export function ProjectChoice() {
  const problem = useSignal("");
  const open = (path: string): Promise<void> =>
    call("open_project", { path }).then(
      () => {
        problem.value = "";
        // Which project is open is said by no notice, so everybody asks again.
        changes.value++;
      },
      (error: Error) => {
        problem.value = error.message;
      },
    );
  return (
    <>
      <FolderForm
        label="Folder of a project, such as interviews.qda"
        act="Open"
        choose={(path) => void open(path)}
      />
      <p role="alert">{problem.value}</p>
    </>
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
