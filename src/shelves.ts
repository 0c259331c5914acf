import type { AnyShelf } from "./kernel/shelf.ts";
import { architecture } from "./shelves/architecture/shelf.ts";
import { objects } from "./shelves/objects/shelf.ts";
import { qualitative } from "./shelves/qualitative/shelf.ts";
import { repository } from "./shelves/repository/shelf.ts";
import { review } from "./shelves/review/shelf.ts";
import { search } from "./shelves/search/shelf.ts";

/** The shelves, in the order in which they receive document changes. */
export const shelves: readonly AnyShelf[] = [
  search,
  objects,
  architecture,
  qualitative,
  repository,
  review,
];
