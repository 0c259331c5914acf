import * as z from "zod";
import { Failure, type FailureKind } from "../../../../kernel/failure.ts";
import { operationsFor } from "../../../../kernel/operation.ts";
import type { Database } from "../../../../kernel/storage/database.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { isNameTaken } from "../../project/names.ts";
import { allFolders, type FolderRow, sourceIdsFiledIn } from "../../qda/storage-folders.ts";
import { requireSource, saveSourceExtras } from "../../sources/source.ts";
import type { QualitativeState } from "../../state.ts";
import { changeId, rowIdInput } from "../inputs.ts";

const operation = operationsFor<QualitativeState>();

const listFolders = operation({
  name: "list_folders",
  title: "List folders",
  summary: "The folders of sources.",
  input: z.object({}),
  output: z.object({
    folders: z.array(
      z.object({
        folder_id: z.int(),
        name: z.string(),
        parent_id: z.int().nullable(),
        source_count: z.int(),
      }),
    ),
    total_count: z.int(),
  }),
  effect: "reads",
  expose: { mcp: true },
  example: {},
  run(_input, state) {
    const folders = allFolders(state.requireProject().db);
    return {
      folders: folders.map(({ id, name, parent, sources }) => ({
        folder_id: id,
        name,
        parent_id: parent,
        source_count: sources,
      })),
      total_count: folders.length,
    };
  },
});

const createFolder = writeOperation({
  name: "create_folder",
  title: "Create a folder",
  summary: "Create a folder for sources, at the top or in another folder.",
  input: z.object({ name: z.string(), parent_id: rowIdInput.nullish() }),
  output: z.object({
    folder_id: z.int(),
    name: z.string(),
    parent_id: z.int().nullable(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { name: "Round 3" },
  plan({ name, parent_id }, state, call) {
    assertValidFolderName(name, "FOLDER_NOT_CREATED");
    const parent = parent_id || null;
    return planWrite(
      state.requireProject(),
      { call, operation: "create_folder", summary: `Created folder '${name}'` },
      ({ writer, db }) => {
        if (parent !== null) requireFolder(db, parent, "FOLDER_NOT_CREATED/PARENT_NOT_FOUND");
        assertFolderNameFree(db, name, parent, "FOLDER_NOT_CREATED");
        return { folder_id: writer.insert("lectern_folders", { name, parent_id: parent }) };
      },
      (created) => {
        return { ...created, name, parent_id: parent };
      },
    );
  },
});

const renameFolder = writeOperation({
  name: "rename_folder",
  title: "Rename a folder",
  summary: "Rename a folder.",
  input: z.object({ folder_id: rowIdInput, new_name: z.string() }),
  output: z.object({ folder_id: z.int(), name: z.string(), change_id: changeId }),
  effect: "writes",
  expose: { mcp: true },
  example: { folder_id: 1, new_name: "First round" },
  plan({ folder_id, new_name }, state, call) {
    const project = state.requireProject();
    assertValidFolderName(new_name, "FOLDER_NOT_RENAMED");
    const { name, parent } = requireFolder(project.db, folder_id, "FOLDER_NOT_RENAMED/NOT_FOUND");
    const summary = `Renamed folder '${name}' to '${new_name}'`;
    return planWrite(
      project,
      { call, operation: "rename_folder", summary },
      ({ writer, db }) => {
        assertFolderNameFree(db, new_name, parent, "FOLDER_NOT_RENAMED", folder_id);
        writer.update("lectern_folders", folder_id, { name: new_name });
        return {};
      },
      ({ change_id }) => {
        return { folder_id, name: new_name, change_id };
      },
    );
  },
});

const deleteFolder = writeOperation({
  name: "delete_folder",
  title: "Delete a folder",
  summary: "Delete a folder that contains neither sources nor folders.",
  input: z.object({ folder_id: rowIdInput }),
  output: z.object({ folder_id: z.int(), name: z.string(), change_id: changeId }),
  effect: "deletes",
  expose: { mcp: true },
  example: { folder_id: 2 },
  plan({ folder_id }, state, call) {
    const project = state.requireProject();
    const { name } = requireFolder(project.db, folder_id, "FOLDER_NOT_DELETED/NOT_FOUND");
    const summary = `Deleted folder '${name}'`;
    const preview = { folder_id, name, message: `This will delete folder '${name}'` };
    return planWrite(
      project,
      { call, operation: "delete_folder", summary, preview },
      ({ writer, db }) => {
        assertEmptyFolder(allFolders(db), folder_id);
        for (const id of sourceIdsFiledIn(db, folder_id)) {
          writer.update("lectern_sources", id, { folder_id: null });
        }
        writer.remove("lectern_folders", folder_id);
        return {};
      },
      ({ change_id }) => {
        return { folder_id, name, change_id };
      },
    );
  },
});

function assertEmptyFolder(folders: readonly FolderRow[], id: number): void {
  if ((folders.find((folder) => folder.id === id)?.sources ?? 0) > 0) {
    throw folderFailure(
      "FOLDER_NOT_DELETED/HAS_SOURCES",
      "Folder contains sources; move them first",
    );
  }
  if (folders.some(({ parent }) => parent === id)) {
    throw folderFailure(
      "FOLDER_NOT_DELETED/NOT_EMPTY",
      "Folder contains folders; delete them first",
    );
  }
}

const moveSourceToFolder = writeOperation({
  name: "move_source_to_folder",
  title: "Move a source",
  summary: "Move a source to a folder, or to the top with folder_id 0 or none.",
  input: z.object({ source_id: rowIdInput, folder_id: rowIdInput.nullish() }),
  output: z.object({
    source_id: z.int(),
    old_folder_id: z.int().nullable(),
    new_folder_id: z.int().nullable(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { source_id: 1, folder_id: 1 },
  plan({ source_id, folder_id }, state, call) {
    const project = state.requireProject();
    const source = requireSource(project.db, source_id);
    const folder = folder_id || null;
    return planWrite(
      project,
      { call, operation: "move_source_to_folder", summary: `Moved source ${source_id}` },
      (context) => {
        if (folder !== null) requireFolder(context.db, folder, "SOURCE_NOT_MOVED/FOLDER_NOT_FOUND");
        saveSourceExtras(context, source_id, { folder_id: folder });
        return {};
      },
      ({ change_id }) => {
        call.announce({ topic: "source.changed", about: String(source_id) });
        return { source_id, old_folder_id: source.folder, new_folder_id: folder, change_id };
      },
    );
  },
});

function requireFolder(db: Database, id: number, code: string): FolderRow {
  const folder = allFolders(db).find((one) => one.id === id);
  if (folder) return folder;
  throw folderFailure(code, `Folder not found: ${id}`, "not-found");
}

function assertValidFolderName(name: string, code: string): void {
  const hasValidLength = name.trim() !== "" && [...name].length <= 255;
  if (hasValidLength && name.isWellFormed() && !/[/\\]/.test(name)) return;
  throw folderFailure(
    `${code}/INVALID_NAME`,
    "A folder's name has 1 to 255 characters, without slashes or lone surrogates",
    "invalid",
  );
}

function assertFolderNameFree(
  db: Database,
  name: string,
  parent: number | null,
  code: string,
  itself?: number,
): void {
  const siblings = allFolders(db).filter((one) => one.parent === parent && one.id !== itself);
  if (!isNameTaken(siblings, name)) return;
  throw folderFailure(`${code}/DUPLICATE_NAME`, `Folder with name '${name}' already exists`);
}

const folderFailure = (code: string, message: string, kind: FailureKind = "conflict"): Failure =>
  new Failure(kind, code, message);

export const folderOperations = [
  listFolders,
  createFolder,
  renameFolder,
  deleteFolder,
  moveSourceToFolder,
];
