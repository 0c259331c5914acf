import type { Library } from "../../kernel/library.ts";
import { callFor } from "./calling.ts";
import type { PageCredential } from "./page-credential.ts";
import { parsePath } from "./path-template.ts";
import { refuse, refuseFailure } from "./refusal.ts";
import type { Route } from "./route.ts";
import { asEnding } from "./routes.ts";
import { readArguments } from "./tools.ts";

/**
 * `POST /page/{name}`: how the web app calls, by an operation's own name and keys. What a person
 * alone may do is served here too, because only the page itself has the credential.
 */
export const pageRoute = (library: Library, page: PageCredential): Route => ({
  method: "POST",
  path: parsePath("/page/{name}"),
  async answer(c) {
    if (!page.isShownBy(c)) {
      return refuse(c, 403, "Only the page of the web app calls this. Load it anew.");
    }
    const entry = library.catalogue.find(c.req.param("name") ?? "");
    if (!entry) return refuse(c, 404, "There is no such operation on this server.");
    const ending = await readArguments(c).then(
      (input) => callFor(c, library, page, entry, input),
      asEnding,
    );
    return ending.ok ? c.json({ data: ending.output }) : refuseFailure(c, ending.failure);
  },
});
