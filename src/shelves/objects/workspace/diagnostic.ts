import { compareText } from "../../../text/strings/compare-text.ts";

/** A problem in a workspace. */
export interface Diagnostic {
  type: string;
  message: string;
  file?: string | undefined;
  line?: number | undefined;
  /** The id of the object. */
  object?: string | undefined;
  field?: string | undefined;
  /** The reference as written, with its brackets. */
  reference?: string | undefined;
  candidates?: string[] | undefined;
  severity: "error" | "warning";
}

/** The numeric codes of diagnostics; other types have none and use their names. */
const diagnosticCodes: ReadonlyMap<string, string> = new Map([
  ["broken_link", "QMDC001"],
  ["ambiguous_reference", "QMDC002"],
  ["ambiguous_field_reference", "QMDC002"],
  ["duplicate_id", "QMDC003"],
  ["workspace_in_wrong_file", "QMDC004"],
]);

export const diagnosticCode = ({ type }: Diagnostic): string => diagnosticCodes.get(type) ?? type;

/** Sorts diagnostics by file and line. */
export const sortDiagnostics = (diagnostics: readonly Diagnostic[]): Diagnostic[] =>
  [...diagnostics].sort(
    (a, b) =>
      compareText(a.file ?? "", b.file ?? "") ||
      (a.line ?? 0) - (b.line ?? 0) ||
      compareText(a.type, b.type) ||
      compareText(a.reference ?? "", b.reference ?? ""),
  );
