import { architecture } from "./architecture/architecture.ts";
import { architectureDocuments } from "./architecture/documents.ts";
import { journeys } from "./journeys.ts";
import { kernel } from "./kernel.ts";
import { objects } from "./objects.ts";
import { qualitativeAnchors } from "./qualitative/anchors.ts";
import { qualitativeCodebook } from "./qualitative/codebook.ts";
import { qualitativeExchange } from "./qualitative/exchange.ts";
import { qualitativeImport } from "./qualitative/import.ts";
import { qualitative } from "./qualitative/qualitative.ts";
import { qualitativeReports } from "./qualitative/reports.ts";
import { qualitativeTrust } from "./qualitative/trust.ts";
import { repositoryAnalysis } from "./repository/analysis.ts";
import { repositoryDrift } from "./repository/drift.ts";
import { repositoryPages } from "./repository/pages.ts";
import { repositoryProtocol } from "./repository/protocol.ts";
import { repositoryMakers } from "./repository/site-generators.ts";
import { repositoryTogether } from "./repository/together.ts";
import { scale } from "./scale.ts";
import { search } from "./search.ts";
import { searchNotes } from "./search-notes.ts";
import { searchRanking } from "./search-ranking.ts";
import { sql } from "./sql.ts";
import { surfaces } from "./surfaces.ts";
import { webCoding } from "./web/coding.ts";
import { webPage } from "./web/page.ts";
import { webReading } from "./web/reader.ts";
import { webShelves } from "./web/shelves.ts";

/** Every requirement by its id. The name of its test starts with the id in brackets. */
export const requirements: Readonly<Record<string, string>> = {
  ...kernel,
  ...surfaces,
  ...journeys,
  ...search,
  ...searchNotes,
  ...searchRanking,
  ...objects,
  ...sql,
  ...scale,
  ...architecture,
  ...architectureDocuments,
  ...qualitative,
  ...repositoryPages,
  ...qualitativeExchange,
  ...qualitativeImport,
  ...qualitativeReports,
  ...qualitativeAnchors,
  ...qualitativeCodebook,
  ...qualitativeTrust,
  ...repositoryAnalysis,
  ...repositoryDrift,
  ...repositoryMakers,
  ...repositoryProtocol,
  ...repositoryTogether,
  ...webPage,
  ...webReading,
  ...webShelves,
  ...webCoding,
};
