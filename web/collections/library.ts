import { asking } from "../asking.ts";
import { call } from "../client.ts";

/** What the library holds: its collections and their numbers of documents. */
export const library = asking((signal) => call("status", {}, signal));
