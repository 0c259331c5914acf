import { architecture } from "./architecture.ts";
import { architectureDocuments } from "./architecture-documents.ts";
import { journeys } from "./journeys.ts";
import { kernel } from "./kernel.ts";
import { objects } from "./objects.ts";
import { qualitative } from "./qualitative.ts";
import { search } from "./search.ts";
import { sql } from "./sql.ts";
import { surfaces } from "./surfaces.ts";

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
};
