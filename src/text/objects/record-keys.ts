/** Keys reserved for metadata, which fields cannot use. */
const reservedKeys: ReadonlySet<string> = new Set([
  "__id",
  "__local_id",
  "__label",
  "__kind",
  "__container",
  "__parent_field",
  "__comments",
  "__types",
  "__syntax",
  "__level",
  "__line",
  "__has_explicit_id",
  "__references",
  "__positions",
  "__labels",
  "__code_fences",
  "__self",
  // Added by a workspace.
  "__file",
  "__workspace",
  "__namespace",
  "__global_id",
]);

/** A bullet may set `__parent`, but a parent given by headings takes precedence. */
export const isReservedKey = (key: string): boolean => reservedKeys.has(key);

/** Whether a key of a record must be a field name. */
export const isFieldKey = (key: string): boolean => key !== "__parent" && !reservedKeys.has(key);
