/**
 * Some test tools need a newer Node than Lectern, and get it from the `node` package. Its link in
 * `node_modules/.bin` would replace the current Node in every npm script, so the link is deleted.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";

for (const name of ["node", "node.cmd", "node.ps1"]) {
  rmSync(join("node_modules", ".bin", name), { force: true });
}
