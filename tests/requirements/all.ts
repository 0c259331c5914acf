import { architecture } from "./architecture.ts";
import { architectureDocuments } from "./architecture-documents.ts";
import { journeys } from "./journeys.ts";
import { kernel } from "./kernel.ts";
import { objects } from "./objects.ts";
import { qualitative } from "./qualitative.ts";
import { qualitativeAnchors } from "./qualitative-anchors.ts";
import { qualitativeCodebook } from "./qualitative-codebook.ts";
import { qualitativeExchange } from "./qualitative-exchange.ts";
import { qualitativeImport } from "./qualitative-import.ts";
import { qualitativeReports } from "./qualitative-reports.ts";
import { qualitativeTrust } from "./qualitative-trust.ts";
import { repositoryAnalysis } from "./repository-analysis.ts";
import { repositoryDrift } from "./repository-drift.ts";
import { repositoryMakers } from "./repository-makers.ts";
import { repositoryPages } from "./repository-pages.ts";
import { repositoryProtocol } from "./repository-protocol.ts";
import { repositoryTogether } from "./repository-together.ts";
import { search } from "./search.ts";
import { sql } from "./sql.ts";
import { surfaces } from "./surfaces.ts";
import { webCoding } from "./web-coding.ts";
import { webHouse } from "./web-house.ts";
import { webReading } from "./web-reading.ts";
import { webShelves } from "./web-shelves.ts";

/** Every demand that a test answers for, by its id. A test's name begins with the id in brackets. */
export const requirements: Readonly<Record<string, string>> = {
  ...kernel,
  ...surfaces,
  ...journeys,
  ...search,
  ...objects,
  ...sql,
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
  ...webHouse,
  ...webReading,
  ...webShelves,
  ...webCoding,
};
