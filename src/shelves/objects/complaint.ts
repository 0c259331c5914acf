import { byLetters } from "../../text/by-letters.ts";

/** What is wrong in a workspace, in the words of the format. */
export interface Complaint {
  type: string;
  message: string;
  file?: string | undefined;
  line?: number | undefined;
  /** The id of the object it is about. */
  object?: string | undefined;
  field?: string | undefined;
  /** As it is written, with its brackets. */
  reference?: string | undefined;
  candidates?: string[] | undefined;
  severity: "error" | "warning";
}

/** The kinds of complaint that editors know by a number; the others go by their own name. */
const codes: ReadonlyMap<string, string> = new Map([
  ["broken_link", "QMDC001"],
  ["ambiguous_reference", "QMDC002"],
  ["ambiguous_field_reference", "QMDC002"],
  ["duplicate_id", "QMDC003"],
  ["workspace_in_wrong_file", "QMDC004"],
]);

export const codeOf = ({ type }: Complaint): string => codes.get(type) ?? type;

/** Sorted as somebody reads who goes through the files. */
export const inReadingOrder = (complaints: readonly Complaint[]): Complaint[] =>
  [...complaints].sort(
    (a, b) =>
      byLetters(a.file ?? "", b.file ?? "") ||
      (a.line ?? 0) - (b.line ?? 0) ||
      byLetters(a.type, b.type) ||
      byLetters(a.reference ?? "", b.reference ?? ""),
  );
