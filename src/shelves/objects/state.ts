import type { Runtime } from "../../kernel/runtime/runtime.ts";
import { openSqlSandbox, type SqlSandbox } from "../../kernel/sql/sandbox.ts";
import { createWatchedResources, type WatchedResources } from "./resources/watched-resources.ts";
import { openWorkspaceCache, type WorkspaceCache } from "./workspace/workspace-cache.ts";

type Services = Pick<
  Runtime,
  | "boundary"
  | "changes"
  | "config"
  | "documents"
  | "log"
  | "proposals"
  | "settings"
  | "sqlTables"
  | "store"
>;

/** The state of the shelf's operations. */
export interface ObjectsState extends Services {
  readonly workspaces: WorkspaceCache;
  readonly sql: SqlSandbox;
  readonly watchedResources: WatchedResources;
}

export const openObjects = ({
  boundary,
  changes,
  config,
  documents,
  log,
  proposals,
  settings,
  sqlTables,
  store,
}: Services): ObjectsState => ({
  boundary,
  changes,
  config,
  documents,
  log,
  proposals,
  settings,
  sqlTables,
  store,
  workspaces: openWorkspaceCache(boundary),
  sql: openSqlSandbox(),
  watchedResources: createWatchedResources(),
});
