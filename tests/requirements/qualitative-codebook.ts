/** The codebook and what stands beside it: categories, cases, journals, coders. */
export const qualitativeCodebook = {
  "qualitative.codebook.cases": "cases have attributes and sources, as QualCoder keeps them",
  "qualitative.codebook.categories":
    "categories are renamed, moved and deleted without their codes",
  "qualitative.codebook.coders": "coders are hidden and shown, and a person chooses a name",
  "qualitative.codebook.duplicates": "duplicate codes are found by name and by shared passages",
  "qualitative.codebook.growth": "duplicate codes are found by a walk, not by trying all pairs",
  "qualitative.codebook.in-vivo": "a passage's own words become a code",
  "qualitative.codebook.journals": "journals are kept, and their private part reaches no agent",
  "qualitative.codebook.merge-memos": "merging loses no memo and shows none that is private",
  "qualitative.codebook.nested": "codes stand below codes, never in a circle",
  "qualitative.codebook.new-name": "a name that is not there becomes a code with its first coding",
  "qualitative.codebook.split": "a code is split by its passages, in one step",
  "qualitative.recoding.change": "a coding's borders, memo and importance are changed in one step",
  "qualitative.recoding.erase": "a part of a coding is erased, and the rest stays coded",
};
