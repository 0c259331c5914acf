import { expect, test } from "vitest";
import { parsePostgresAddress } from "./home-address.ts";
import { postgresError } from "./postgres-errors.ts";

const home = parsePostgresAddress("postgresql://lectern:quicksilver@db1/lectern");
const host = { name: "db1", port: 5432 };
const errorFor = (code: string) =>
  postgresError(Object.assign(new Error(`${code} quicksilver`), { code }), host, home);

test("[scale.client.socket-errors] an error of the socket is a lost connection, not one of PostgreSQL", () => {
  for (const code of ["EPIPE", "ECONNRESET", "EPROTO"]) {
    expect(errorFor(code).message).toBe("The connection to db1:5432 was lost.");
  }
  expect(errorFor("22012").message).toBe("PostgreSQL rejected a statement with the error 22012");
});
