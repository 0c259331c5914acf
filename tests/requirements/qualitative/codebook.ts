/** Requirements of the codebook, categories, cases, journals and coders. */
export const qualitativeCodebook = {
  "qualitative.codebook.cases": "cases have attributes and sources, stored as in QualCoder",
  "qualitative.codebook.categories":
    "categories are renamed, moved and deleted, and their codes remain",
  "qualitative.codebook.coders": "coders can be hidden and shown, and a person can choose a name",
  "qualitative.codebook.duplicates": "duplicate codes are detected by name and by shared passages",
  "qualitative.codebook.growth":
    "duplicate codes are detected by a sweep, not by comparing all pairs",
  "qualitative.codebook.in-vivo": "a passage's text becomes the name of a code",
  "qualitative.codebook.journals":
    "journals can be edited, and their private part is hidden from agents",
  "qualitative.codebook.merge-memos": "merging keeps all memos and exposes no private one",
  "qualitative.codebook.nested": "codes can be nested, without cycles",
  "qualitative.codebook.new-name": "an unknown name creates a code with its first coding",
  "qualitative.codebook.split": "a code is split by passages in one step",
  "qualitative.recoding.change":
    "boundaries, memo and importance of a coding are changed in one step",
  "qualitative.recoding.erase": "part of a coding is erased, and the rest stays coded",
};
