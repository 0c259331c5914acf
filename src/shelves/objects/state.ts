import type { House } from "../../kernel/house.ts";
import { filesOf } from "../../kernel/settings.ts";
import { openSqlSandbox, type SqlSandbox } from "../../kernel/sql/sandbox.ts";
import type { LentFile } from "../../kernel/sql/set.ts";
import { documentsIn } from "./lent.ts";
import { openWorkspaces, type Workspaces } from "./workspaces.ts";

/** What the shelf's operations work on. */
export interface ObjectsState extends House {
  readonly workspaces: Workspaces;
  readonly sql: SqlSandbox;
  /** Views of other shelves that statements may read as well. */
  lentFiles(): LentFile[];
}

export const openObjects = (house: House): ObjectsState => ({
  ...house,
  workspaces: openWorkspaces(house.boundary),
  sql: openSqlSandbox(),
  lentFiles: () => (isOn(house, "search") ? [documentsOf(house)] : []),
});

const isOn = ({ settings }: House, shelf: string): boolean =>
  settings.shelves === undefined || settings.shelves.includes(shelf);

/** Only what this process may show: with a force root, collections outside are not there. */
const documentsOf = ({ settings, config }: House): LentFile =>
  documentsIn(filesOf(settings).store, Object.keys(config.read().collections));
