/** Requirements for exporting and importing projects and codebooks. */
export const qualitativeExchange = {
  "qualitative.exchange.all-or-nothing":
    "an import creates a complete new project or nothing, and never overwrites",
  "qualitative.exchange.anchors": "positions counted differently by another program are mapped",
  "qualitative.exchange.bomb":
    "an archive that would fill the disk is refused, and its files are removed",
  "qualitative.exchange.codes": "codes from a file are added to a project in one step",
  "qualitative.exchange.export": "a project is exported to a new file, and losses are reported",
  "qualitative.exchange.hostile": "hostile archives are refused within limits",
  "qualitative.exchange.lists": "code lists and code tables can be exported and imported again",
  "qualitative.exchange.media": "images, recordings and documents are exported with their sources",
  "qualitative.exchange.notes": "notes about an item become its memo, other notes become journals",
  "qualitative.exchange.private": "an agent's export contains nothing private to the researcher",
  "qualitative.exchange.round-trip": "a .qdpx export imports back to the same project",
  "qualitative.exchange.sample": "a project of another program is imported with a report of losses",
  "qualitative.exchange.standard": "exports follow the element order and the rules of REFI-QDA",
  "qualitative.exchange.tables": "CSV tables are parsed as spreadsheets write them",
  "qualitative.exchange.taguette": "a Taguette project is imported with tags and highlights",
};
