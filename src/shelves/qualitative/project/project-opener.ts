import { createThroughStaging } from "../../../kernel/files/staged-file.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import type { MaybePromise } from "../../../kernel/processes/maybe-promise.ts";
import { createQualcoderTables } from "../qda/storage-project.ts";
import { isSync, removeOrphanedUnderLease } from "./activity-sync.ts";
import { qualcoderDate, unnamedCoder } from "./coder.ts";
import { openQdaProject, type ProjectOptions, type QdaProject } from "./project.ts";
import { openProjectLeases } from "./project-lease.ts";
import { createProjectFolder, locateProject, type ProjectLocation } from "./project-location.ts";
import { createProjectFile } from "./qualcoder-file.ts";

export interface NewProject {
  path: string;
  name?: string | undefined;
}

/** Opens projects: at once in a home on SQLite; elsewhere under a lease, since servers share the home. */
export interface ProjectOpener {
  open(boundary: Boundary, path: string): MaybePromise<QdaProject>;
  create(boundary: Boundary, newProject: NewProject): MaybePromise<QdaProject>;
}

export function createProjectOpener(shared: Omit<ProjectOptions, "boundary">): ProjectOpener {
  const openLocated = isSync(shared.activity) ? openQdaProject : openerUnderLease(shared.activity);
  return {
    open: (boundary, path) =>
      openLocated({ ...shared, boundary }, locateProject(boundary, path), { isNew: false }),
    create: (boundary, newProject) =>
      openLocated({ ...shared, boundary }, createQdaProject(boundary, newProject), { isNew: true }),
  };
}

function openerUnderLease(activity: ProjectOptions["activity"]) {
  const leases = openProjectLeases(activity);
  return async (
    options: ProjectOptions,
    location: ProjectLocation,
    { isNew }: { isNew: boolean },
  ): Promise<QdaProject> => {
    const lease = await leases.acquire(location.path);
    let project: QdaProject | undefined;
    try {
      project = openQdaProject(options, location, { isNew, lease });
      await removeOrphanedUnderLease(project.db, location, activity);
      return project;
    } catch (error) {
      await (project ? project.close() : lease.release());
      throw error;
    }
  };
}

/** Creates the files of a project. */
function createQdaProject(boundary: Boundary, { path, name }: NewProject): ProjectLocation {
  const newProject = createProjectFolder(boundary, path);
  try {
    createThroughStaging(newProject.folder, "data.qda", (staged) => {
      const db = createProjectFile(staged);
      try {
        createQualcoderTables(db, { date: qualcoderDate(), coder: unnamedCoder, name });
      } finally {
        db.close();
      }
    });
    newProject.folder.verify();
  } catch (error) {
    newProject.remove();
    throw error;
  } finally {
    newProject.close();
  }
  return newProject;
}
