/** Requirements for importing files and for auto-coding. */
export const qualitativeImport = {
  "qualitative.autocode.duplicates": "passages that the same coder already coded are skipped",
  "qualitative.autocode.pattern":
    "words and regular expressions are coded at their matches, in any script",
  "qualitative.autocode.preview":
    "a dry run shows the matches, and its token applies exactly these",
  "qualitative.autocode.refused":
    "an invalid pattern is refused with its code, and never returns an empty list",
  "qualitative.autocode.speaker": "every turn of a speaker is coded without the name",
  "qualitative.autocode.undo": "one undo reverts all codings of one call",
  "qualitative.autocode.wire": "auto-coding works the same on every surface",
  "qualitative.import.codes": "every refused import has the documented code, checked in order",
  "qualitative.import.dry-run": "a dry run reports what would be imported, and changes nothing",
  "qualitative.import.exact": "an imported text equals the file's text, character by character",
  "qualitative.import.failures": "an unreadable file is an error, never an empty source",
  "qualitative.import.formats": "files of every format are imported as text sources",
  "qualitative.import.kept": "the original file is copied to the project's folder unchanged",
  "qualitative.import.media": "recordings and images become sources without text",
  "qualitative.import.undo": "an import is undone in one step, and leaves nothing incomplete",
  "qualitative.import.wire": "import works the same on every surface",
  "qualitative.patterns.counts":
    "a repetition count in an expression is honored or refused, never matched literally",
  "qualitative.patterns.linear": "matching any expression takes time linear in the text",
  "qualitative.patterns.literal":
    "text matches as whole words or substrings, in any Unicode normalization",
  "qualitative.sentences.around": "a match is extended to its sentence or paragraph",
  "qualitative.speakers.names": "names in any script and notation start a turn, prose does not",
  "qualitative.speakers.transcripts": "in real transcripts exactly the actual turns are found",
  "qualitative.subtitles.text": "subtitles become a transcript with times and speakers",
};
