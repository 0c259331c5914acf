import * as z from "zod";
import type { Database } from "../../../kernel/database.ts";
import { Failure, type FailureKind } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { isTaken } from "../naming.ts";
import { allFolders, type FolderRow, sourcesNoted } from "../qda/storage-folders.ts";
import { noteBeside, sourceById } from "../source.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

const listFolders = operation({
  name: "list_folders",
  title: "List folders",
  summary: "The folders that sources are sorted into.",
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
    const folders = allFolders(state.needed().db);
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

const createFolder = operation({
  name: "create_folder",
  title: "Create a folder",
  summary: "Make a folder for sources, at the top or in another folder.",
  input: z.object({ name: z.string(), parent_id: idInput.nullish() }),
  output: z.object({
    folder_id: z.int(),
    name: z.string(),
    parent_id: z.int().nullable(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { name: "Round 3" },
  run({ name, parent_id }, state, call) {
    refuseBadFolderName(name, "FOLDER_NOT_CREATED");
    const parent = parent_id || null;
    const made = state
      .needed()
      .write(
        { call, operation: "create_folder", summary: `Made folder '${name}'` },
        ({ pen, db }) => {
          if (parent !== null) folderById(db, parent, "FOLDER_NOT_CREATED/PARENT_NOT_FOUND");
          refuseTaken(db, name, parent, "FOLDER_NOT_CREATED");
          return { folder_id: pen.insert("lectern_folders", { name, parent_id: parent }) };
        },
      );
    return { ...made, name, parent_id: parent };
  },
});

const renameFolder = operation({
  name: "rename_folder",
  title: "Rename a folder",
  summary: "Give a folder another name.",
  input: z.object({ folder_id: idInput, new_name: z.string() }),
  output: z.object({ folder_id: z.int(), name: z.string(), change_id: changeId }),
  effect: "writes",
  expose: { mcp: true },
  example: { folder_id: 1, new_name: "First round" },
  run({ folder_id, new_name }, state, call) {
    const project = state.needed();
    refuseBadFolderName(new_name, "FOLDER_NOT_RENAMED");
    const { name, parent } = folderById(project.db, folder_id, "FOLDER_NOT_RENAMED/NOT_FOUND");
    const summary = `Renamed folder '${name}' to '${new_name}'`;
    const { change_id } = project.write(
      { call, operation: "rename_folder", summary },
      ({ pen, db }) => {
        refuseTaken(db, new_name, parent, "FOLDER_NOT_RENAMED", folder_id);
        pen.update("lectern_folders", folder_id, { name: new_name });
        return {};
      },
    );
    return { folder_id, name: new_name, change_id };
  },
});

const deleteFolder = operation({
  name: "delete_folder",
  title: "Delete a folder",
  summary: "Delete a folder that holds neither sources nor folders.",
  input: z.object({ folder_id: idInput }),
  output: z.object({ folder_id: z.int(), name: z.string(), change_id: changeId }),
  effect: "deletes",
  expose: { mcp: true },
  example: { folder_id: 2 },
  run({ folder_id }, state, call) {
    const project = state.needed();
    const { name } = folderById(project.db, folder_id, "FOLDER_NOT_DELETED/NOT_FOUND");
    const summary = `Deleted folder '${name}'`;
    const preview = { folder_id, name, message: `This will delete folder '${name}'` };
    const { change_id } = project.write(
      { call, operation: "delete_folder", summary, preview },
      ({ pen, db }) => {
        refuseFull(allFolders(db), folder_id);
        for (const id of sourcesNoted(db, folder_id)) {
          pen.update("lectern_sources", id, { folder_id: null });
        }
        pen.remove("lectern_folders", folder_id);
        return {};
      },
    );
    return { folder_id, name, change_id };
  },
});

function refuseFull(folders: readonly FolderRow[], id: number): void {
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

const moveSourceToFolder = operation({
  name: "move_source_to_folder",
  title: "Move a source",
  summary: "Put a source into a folder, or with 0 or without a folder at the top.",
  input: z.object({ source_id: idInput, folder_id: idInput.nullish() }),
  output: z.object({
    source_id: z.int(),
    old_folder_id: z.int().nullable(),
    new_folder_id: z.int().nullable(),
    change_id: changeId,
  }),
  effect: "writes",
  expose: { mcp: true },
  example: { source_id: 1, folder_id: 1 },
  run({ source_id, folder_id }, state, call) {
    const project = state.needed();
    const source = sourceById(project.db, source_id);
    const folder = folder_id || null;
    const { change_id } = project.write(
      { call, operation: "move_source_to_folder", summary: `Moved source ${source_id}` },
      (hand) => {
        if (folder !== null) folderById(hand.db, folder, "SOURCE_NOT_MOVED/FOLDER_NOT_FOUND");
        noteBeside(hand, source_id, { folder_id: folder });
        return {};
      },
    );
    call.announce({ topic: "source.changed", about: String(source_id) });
    return { source_id, old_folder_id: source.folder, new_folder_id: folder, change_id };
  },
});

function folderById(db: Database, id: number, code: string): FolderRow {
  const folder = allFolders(db).find((one) => one.id === id);
  if (folder) return folder;
  throw folderFailure(code, `Folder not found: ${id}`, "not-found");
}

function refuseBadFolderName(name: string, code: string): void {
  const isShort = name.trim() !== "" && [...name].length <= 255;
  if (isShort && name.isWellFormed() && !/[/\\]/.test(name)) return;
  throw folderFailure(
    `${code}/INVALID_NAME`,
    "A folder's name has 1 to 255 letters, with no slash and no half of a character among them",
    "invalid",
  );
}

function refuseTaken(
  db: Database,
  name: string,
  parent: number | null,
  code: string,
  itself?: number,
): void {
  const beside = allFolders(db).filter((one) => one.parent === parent && one.id !== itself);
  if (!isTaken(beside, name)) return;
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
