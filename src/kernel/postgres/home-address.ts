import { Failure } from "../failure.ts";
import { sha256Hex } from "../files/hashes.ts";

/** One host of a database cluster; a socket folder begins with "/". */
export interface DatabaseHost {
  name: string;
  port: number;
}

/** Which hosts answer reads. */
export type ReadTarget = "primary" | "standby" | "prefer-standby" | "any";

/** `disable`: no TLS; `require`: TLS without verifying the host; `verify-full`: TLS with verification. */
type TlsMode = "disable" | "require" | "verify-full";

/** A home in PostgreSQL, as `LECTERN_HOME` names it. */
export interface PostgresHome {
  hosts: readonly DatabaseHost[];
  user: string;
  /** Without one, the driver reads PGPASSWORD or the file PGPASSFILE. */
  password: string | undefined;
  database: string;
  schema: string;
  reads: ReadTarget;
  tls: TlsMode;
  /** A file of certificate authorities, instead of those of the system. */
  tlsAuthorities: string | undefined;
}

const parameterNames = ["host", "schema", "sslmode", "sslrootcert", "target_session_attrs"];

const addressPattern =
  /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

const readTargets: Record<string, ReadTarget | undefined> = {
  "read-write": "primary",
  primary: "primary",
  "read-only": "standby",
  standby: "standby",
  "prefer-standby": "prefer-standby",
  any: "any",
};

const tlsModes: Record<string, TlsMode | undefined> = {
  disable: "disable",
  require: "require",
  "verify-full": "verify-full",
};

export const isPostgresAddress = (home: string): boolean => /^postgres(ql)?:/i.test(home);

/**
 * Reads `postgresql://user:password@host1,host2:5432/database?schema=team`. No message contains the
 * address, because it can contain a password.
 */
export function parsePostgresAddress(address: string): PostgresHome {
  const match = addressPattern.exec(address);
  if (!match) throw badAddress("it is not of the form postgresql://user@host/database");
  const [, login = "", hostList = "", path = "", query = ""] = match;
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (parameterNames.includes(name)) continue;
    const known = parameterNames.join(", ");
    throw badAddress(`it has the unknown parameter ${JSON.stringify(name)}; known are ${known}`);
  }
  const [user = "", ...passwordParts] = login.split(":");
  const hosts = parseHosts(parameters.get("host") ?? decode(hostList));
  if (user === "") throw badAddress("it names no user");
  const database = decode(path) || decode(user);
  const schema = parameters.get("schema") ?? "lectern";
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith("pg_")) {
    const rule = "up to 63 lower-case letters, digits and underscores that do not begin with pg_";
    throw badAddress(`its schema is not a name of ${rule}`);
  }
  return {
    hosts,
    user: decode(user),
    password: passwordParts.length === 0 ? undefined : decode(passwordParts.join(":")),
    database,
    schema,
    reads: choice(parameters, "target_session_attrs", readTargets) ?? "primary",
    tls:
      choice(parameters, "sslmode", tlsModes) ?? (hosts.every(isLocal) ? "disable" : "verify-full"),
    tlsAuthorities: parameters.get("sslrootcert") ?? undefined,
  };
}

/** The address without its password, for messages and logs. */
export function describePostgresHome({ hosts, user, database, schema }: PostgresHome): string {
  return `postgresql://${user}@${hosts.map(describeHost).join(",")}/${database}?schema=${schema}`;
}

/** A short name of the home, the same for every user and password. */
export function postgresHomeId({ hosts, database, schema }: PostgresHome): string {
  const name = JSON.stringify([hosts.map(describeHost), database, schema]);
  return `${schema}-${sha256Hex(name).slice(0, 10)}`;
}

/** The address as it was given, without its password. */
export const withoutAddressPassword = (address: string): string =>
  address.replace(/^([a-z]+:\/\/[^:@/?#]*):[^@/?#]*@/i, "$1@");

export const describeHost = ({ name, port }: DatabaseHost): string =>
  name.includes(":") ? `[${name}]:${port}` : `${name}:${port}`;

/** The text without the home's password, in each form in which a message could repeat it. */
export function withoutPassword(text: string, { password }: PostgresHome): string {
  if (!password) return text;
  const forms = [password, encodeURIComponent(password), encodeURI(password)];
  return forms.reduce((clean, form) => clean.replaceAll(form, "***"), text);
}

function parseHosts(list: string): DatabaseHost[] {
  return list.split(",").map((part) => {
    const match = part.startsWith("/")
      ? [part, part, undefined]
      : /^\[?((?<=\[)[^\]]+(?=\])|[^:[\]]+)\]?(?::(\d{1,5}))?$/.exec(part);
    const [, name, port = "5432"] = match ?? [];
    if (!name || Number(port) < 1 || Number(port) > 65_535) {
      throw badAddress("one of its hosts is not of the form host or host:port");
    }
    return { name, port: Number(port) };
  });
}

const isLocal = ({ name }: DatabaseHost): boolean =>
  name.startsWith("/") || name === "localhost" || name === "::1" || name.startsWith("127.");

function choice<Value>(
  parameters: URLSearchParams,
  name: string,
  values: Record<string, Value | undefined>,
): Value | undefined {
  const given = parameters.get(name);
  if (given === null) return undefined;
  const value = Object.hasOwn(values, given) ? values[given] : undefined;
  if (value !== undefined) return value;
  throw badAddress(`${name} must be one of ${Object.keys(values).join(", ")}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badAddress("a % in it is not followed by two hexadecimal digits; write % as %25");
  }
}

const badAddress = (reason: string): Failure =>
  new Failure("invalid", "bad-home-address", `LECTERN_HOME cannot be used: ${reason}.`, {
    hints: ["Example: postgresql://lectern@db1,db2,db3:5432/lectern?schema=team"],
  });
