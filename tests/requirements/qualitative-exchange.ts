/** Projects and code books that travel to other programs and come from them. */
export const qualitativeExchange = {
  "qualitative.exchange.all-or-nothing":
    "an import makes a whole new project or nothing, never over something",
  "qualitative.exchange.anchors": "positions that another program counts otherwise are found again",
  "qualitative.exchange.bomb":
    "an archive that would fill the disk is refused, and nothing is left of it",
  "qualitative.exchange.codes": "codes of a file are added to a project, as one step",
  "qualitative.exchange.export": "a project is written to a new file, and what is lost is told",
  "qualitative.exchange.hostile": "hostile archives are refused within limits",
  "qualitative.exchange.lists": "code lists and tables of codes go out and come in again",
  "qualitative.exchange.media": "pictures, recordings and documents travel with their sources",
  "qualitative.exchange.notes": "notes about something become its memo, others journals",
  "qualitative.exchange.private": "an agent's export holds nothing that is the researcher's own",
  "qualitative.exchange.round-trip": "what goes out to .qdpx comes in again as it was",
  "qualitative.exchange.sample": "a project of another program comes in with a report of losses",
  "qualitative.exchange.standard": "what is written keeps the order and the rules of REFI-QDA",
  "qualitative.exchange.tables": "tables of cells are read as spreadsheets write them",
  "qualitative.exchange.taguette": "a project of Taguette comes in with its tags and highlights",
};
