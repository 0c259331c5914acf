/** Requirements for homes on PostgreSQL. */
export const scale = {
  "scale.steps.errors": "the error of a statement can be caught where it was yielded",
  "scale.steps.lists":
    "conditions for lists, optional parameters and byte order are the same in every store",
  "scale.steps.transactions":
    "a failed transaction leaves nothing, and a nested one can fail alone",
  "scale.steps.values": "numbers, text, bytes and null have the same values in every store",
  "scale.steps.writers": "concurrent transactions run one after the other",
};
