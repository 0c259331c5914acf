/**
 * Some test tools need a newer Node than Lectern does, and the `node` package brings one. Its link in
 * `node_modules/.bin` would also put it before the Node in use, for every script: so the link goes.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";

for (const name of ["node", "node.cmd", "node.ps1"]) {
  rmSync(join("node_modules", ".bin", name), { force: true });
}
