import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";

/** The collections of the library and their document counts. */
export const libraryStatus = createLiveQuery((signal) => call("status", {}, signal));
