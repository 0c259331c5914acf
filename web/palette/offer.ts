/** Something that can be done or gone to. */
export interface Offer {
  group: string;
  label: string;
  /** A second line of words, by which it is found too. */
  hint?: string;
  key?: string | undefined;
  run(): void;
}
