import { useSignal } from "@preact/signals";
import { FolderForm } from "../components/folder-form.tsx";
import { call } from "../server/client.ts";
import { dataChanges } from "../server/server-events.ts";

/** Opens a project by its path. */
export function ProjectChoice() {
  const problem = useSignal("");
  const open = (path: string): Promise<void> =>
    call("open_project", { path }).then(
      () => {
        problem.value = "";
        // No server event reports which project is open, so every query runs again.
        dataChanges.value++;
      },
      (error: Error) => {
        problem.value = error.message;
      },
    );
  return (
    <>
      <FolderForm
        label="Project folder, such as interviews.qda"
        act="Open"
        choose={(path) => void open(path)}
      />
      <p role="alert">{problem.value}</p>
    </>
  );
}

/** Shown while no project is open. */
export function NoProject() {
  return (
    <section class="nothing" aria-labelledby="no-project">
      <h3 id="no-project">No project is open</h3>
      <p>
        Open a QualCoder project here, or create one in a shell with{" "}
        <code>lectern project create interviews.qda</code>. A project that an agent opens is shown
        here as well.
      </p>
      <ProjectChoice />
    </section>
  );
}
