import { PGlite } from "@electric-sql/pglite";
import { pg_textsearch } from "@electric-sql/pglite-pg_textsearch";
import { vector } from "@electric-sql/pglite-pgvector";
import type { PostgresHome } from "../../src/kernel/postgres/home-address.ts";
import { beginning, runnerOf } from "../../src/kernel/postgres/postgres-client.ts";
import { postgresError } from "../../src/kernel/postgres/postgres-errors.ts";
import type { Session } from "../../src/kernel/postgres/session.ts";
import type { SqlClient } from "../../src/kernel/postgres/sql-client.ts";
import { createSerialQueue } from "../../src/kernel/processes/serial-queue.ts";

let engine: Promise<PGlite> | undefined;
let searchedSchema = "";
const queue = createSerialQueue();

/** A schema of the process's one PGlite, which has one session: callers wait for each other. */
export async function openPgliteClient(home: PostgresHome): Promise<SqlClient> {
  engine ??= startEngine();
  const db = await engine;
  const [host] = home.hosts;
  let roundTrips = 0;

  const query: Session["query"] = async <Row>(
    ...[sql, values = [], options]: Parameters<Session["query"]>
  ) => {
    options?.signal?.throwIfAborted();
    roundTrips++;
    try {
      if (values.length === 0 && options?.prepared === false) {
        const results = await db.exec(sql);
        return { rows: [], changes: results.at(-1)?.affectedRows ?? 0, command: "" };
      }
      const parsers = { [bigintType]: Number };
      const { rows, affectedRows = 0 } = await db.query<Row>(sql, [...values], { parsers });
      return { rows, changes: affectedRows || rows.length, command: "" };
    } catch (error) {
      throw postgresError(error, host ?? { name: "pglite", port: 0 }, home);
    }
  };
  const exclusively = <Result>(work: () => Promise<Result>): Promise<Result> =>
    queue.run("statement", async () => {
      if (searchedSchema !== home.schema) {
        await db.exec(`SET search_path TO ${home.schema}, public`);
        searchedSchema = home.schema;
      }
      return work();
    });
  const runner = runnerOf(query);

  return {
    ...runnerOf((...call) => exclusively(() => query(...call))),
    transaction: (work, options = {}) =>
      exclusively(async () => {
        const { signal } = options;
        signal?.throwIfAborted();
        await db.exec(beginning(options));
        try {
          const result = await work(runner);
          signal?.throwIfAborted();
          await db.exec("COMMIT");
          return result;
        } catch (error) {
          await db.exec("ROLLBACK");
          throw error;
        }
      }),
    withConnection: (work) => exclusively(() => work(runner)),
    get roundTrips() {
      return roundTrips;
    },
    close: async () => {},
  };
}

const bigintType = 20;

async function startEngine(): Promise<PGlite> {
  const db = await PGlite.create({ extensions: { vector, pg_textsearch } });
  await db.exec("CREATE EXTENSION vector; CREATE EXTENSION pg_textsearch");
  return db;
}
