/** A command, or a target to go to. */
export interface PaletteItem {
  group: string;
  label: string;
  /** A second line, which is searched too. */
  hint?: string;
  key?: string | undefined;
  run(): void;
}
