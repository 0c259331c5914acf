/** What comes into a project from files, and what is coded by rules. */
export const qualitativeImport = {
  "qualitative.autocode.duplicates": "what the same coder has coded so already is skipped",
  "qualitative.autocode.pattern": "words and expressions are coded where they stand, in any script",
  "qualitative.autocode.preview": "a dry run shows what would be coded, and its token binds to it",
  "qualitative.autocode.refused": "a bad pattern is refused with its code, and never an empty list",
  "qualitative.autocode.speaker": "every turn of a speaker is coded without the name in front",
  "qualitative.autocode.undo": "one undo takes back all that one call has coded",
  "qualitative.autocode.wire": "auto-coding is the same on every way in",
  "qualitative.import.codes": "every refusal of an import has the document's code, in its order",
  "qualitative.import.dry-run": "a dry run tells what would be imported, and changes nothing",
  "qualitative.import.exact": "an imported text is the file's words, letter by letter",
  "qualitative.import.failures": "a file that cannot be read is an error, never an empty source",
  "qualitative.import.formats": "files of every format become sources with their words",
  "qualitative.import.kept": "the file itself is kept in the project's folder, as it is",
  "qualitative.import.media": "recordings and pictures become sources without a text",
  "qualitative.import.undo": "an import is undone in one step, and leaves nothing half-made",
  "qualitative.import.wire": "an import is the same on every way in",
  "qualitative.patterns.counts":
    "a count in an expression is obeyed or refused, and never taken as plain text",
  "qualitative.patterns.linear":
    "expressions take time by the length of the text, whatever they are",
  "qualitative.patterns.literal":
    "words are found whole or within others, however they are encoded",
  "qualitative.sentences.around": "a match widens to its sentence or paragraph",
  "qualitative.speakers.names": "names of any script and manner begin a turn, prose does not",
  "qualitative.speakers.transcripts":
    "in real transcripts every turn is found and none is invented",
  "qualitative.subtitles.text": "subtitles become a transcript with times and speakers",
};
