/** What the format itself says of an object, and what no field can therefore be called. */
const reserved: ReadonlySet<string> = new Set([
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
  // What a workspace adds to the objects of its files.
  "__file",
  "__workspace",
  "__namespace",
  "__global_id",
]);

/** A bullet may say `__parent`; wherever headings give an object a parent, theirs holds. */
export const isReserved = (key: string): boolean => reserved.has(key);

/** Whether a key of a record can only be the name of a field. */
export const isFieldKey = (key: string): boolean => key !== "__parent" && !reserved.has(key);
