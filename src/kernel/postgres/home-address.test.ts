import { expect, test } from "vitest";
import { Failure } from "../failure.ts";
import {
  describePostgresHome,
  isPostgresAddress,
  parsePostgresAddress,
  withoutPassword,
} from "./home-address.ts";

test("[scale.address.hosts] an address names several hosts, each with its port", () => {
  const check = (list: string, expected: [string, number][]) => {
    const { hosts } = parsePostgresAddress(`postgresql://lectern@${list}/db`);
    expect(hosts.map(({ name, port }) => [name, port])).toEqual(expected);
  };
  check("db1", [["db1", 5432]]);
  check("db1,db2:6000,db3", [
    ["db1", 5432],
    ["db2", 6000],
    ["db3", 5432],
  ]);
  check("[::1]:6000,10.0.0.1", [
    ["::1", 6000],
    ["10.0.0.1", 5432],
  ]);
  expect(
    parsePostgresAddress("postgres://lectern@/db?host=/run/postgresql").hosts.map(
      ({ name }) => name,
    ),
  ).toEqual(["/run/postgresql"]);
});

test("[scale.address.parameters] an address sets the schema, TLS and the hosts that answer reads", () => {
  const address = "postgresql://lectern:a%40b@db1,db2/office?schema=team";

  const home = parsePostgresAddress(
    `${address}&sslmode=require&target_session_attrs=prefer-standby`,
  );

  expect(home).toMatchObject({
    user: "lectern",
    password: "a@b",
    database: "office",
    schema: "team",
    tls: "require",
    reads: "prefer-standby",
  });
  expect(parsePostgresAddress("postgresql://lectern@db1")).toMatchObject({
    database: "lectern",
    schema: "lectern",
    reads: "primary",
  });
});

test("[scale.address.tls] another machine is reached with verified TLS unless the address says otherwise", () => {
  const tls = (host: string) => parsePostgresAddress(`postgresql://lectern@${host}/db`).tls;

  expect([tls("db1"), tls("localhost"), tls("127.0.0.1"), tls("localhost,db1")]).toEqual([
    "verify-full",
    "disable",
    "disable",
    "verify-full",
  ]);
});

test("[scale.address.invalid] an invalid address is refused without repeating it", () => {
  const check = (address: string, message: RegExp) => {
    const parse = () => parsePostgresAddress(address);
    expect(parse).toThrow(Failure);
    expect(parse).toThrow(message);
    expect(parse).not.toThrow(/secret/);
  };
  check("postgresql://secret", /names no user/);
  check("postgresql://u:secret@db1:99999/db", /host:port/);
  check("postgresql://u:secret@db1,,db2/db", /host:port/);
  check("postgresql://u:secret@a@db1/db", /form postgresql/);
  check("postgresql://u:%secret@db1/db", /%25/);
  check("postgresql://u:secret@db1/db?scheme=x", /unknown parameter "scheme"/);
  check("postgresql://u:secret@db1/db?schema=Team", /schema/);
  check("postgresql://u:secret@db1/db?schema=pg_team", /schema/);
  check("postgresql://u:secret@db1/db?sslmode=prefer", /sslmode must be one of disable, require/);
  check("postgresql://u:secret@db1/db?target_session_attrs=toString", /target_session_attrs/);
});

test("[scale.address.password] a description and a message never contain the password", () => {
  const home = parsePostgresAddress("postgresql://lectern:s%20cret@db1,db2/db");

  expect(describePostgresHome(home)).toBe(
    "postgresql://lectern@db1:5432,db2:5432/db?schema=lectern",
  );
  expect(withoutPassword("not 's cret' nor s%20cret", home)).toBe("not '***' nor ***");
});

test("[scale.address.recognised] only a PostgreSQL address is taken for one", () => {
  const homes = ["postgresql://u@db/x", "postgres://u@db/x", "/home/postgresql:x", "postgresql"];

  expect(homes.map(isPostgresAddress)).toEqual([true, true, false, false]);
});
