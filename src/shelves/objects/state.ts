import type { House } from "../../kernel/house.ts";
import { openSqlSandbox, type SqlSandbox } from "../../kernel/sql/sandbox.ts";
import { type HeardResources, openHeardResources } from "./heard-resources.ts";
import { openWorkspaces, type Workspaces } from "./workspaces.ts";

/** What the shelf's operations work on. */
export interface ObjectsState extends House {
  readonly workspaces: Workspaces;
  readonly sql: SqlSandbox;
  readonly heard: HeardResources;
}

export const openObjects = (house: House): ObjectsState => ({
  ...house,
  workspaces: openWorkspaces(house.boundary),
  sql: openSqlSandbox(),
  heard: openHeardResources(),
});
