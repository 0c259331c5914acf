import { startCluster } from "../../scripts/postgres/cluster.mjs";
import { whyNotInstallable } from "../../scripts/postgres/packages.mjs";

/** The address of a server for the tests; set it to use your own. */
export const sharedServerVariable = "LECTERN_TEST_POSTGRES";

/** Why the tests cannot run against a real PostgreSQL on this machine, if they cannot. */
export const whyNoPostgres = process.env[sharedServerVariable] ? undefined : whyNotInstallable();

/** One server for all test files; each test creates its own schema. */
export default async function startSharedPostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[sharedServerVariable]) return undefined;
  if (whyNoPostgres && process.env.CI === "true") {
    throw new Error(
      `The tests need PostgreSQL 18, and ${whyNoPostgres}. Set ${sharedServerVariable}=postgresql://… to a server.`,
    );
  }
  if (whyNoPostgres) return undefined;
  const cluster = await startCluster({ settings: ["max_connections = 200"] });
  // The workers that run the tests are started later and inherit it.
  process.env[sharedServerVariable] = cluster.url;
  return () => cluster.remove();
}
