/** Throw-away clusters of the PostgreSQL that `packages.mjs` installed. */
import { execFile, spawn } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { installPostgres, user } from "./packages.mjs";

const programs = "/usr/lib/postgresql/18/bin";

/**
 * Ends the server when the process that started it ends, however it ends: its end closes the pipe
 * that the loop reads. The loop is not a child of the server, which would report it.
 */
const supervised = `
  server=$$
  ( ( while read -r line; do :; done; kill -INT $server ) <&3 >/dev/null 2>&1 & )
  exec 3<&- "$0" "$@"`;

/**
 * Creates and starts a cluster on a free port of the loopback interface.
 *
 * `settings` are lines of postgresql.conf. `standbyOf` is a cluster to copy and follow; `durable`
 * waits for the disk at each commit, as a test that kills the server needs.
 */
export async function startCluster({ settings = [], standbyOf, durable = false, hba } = {}) {
  const root = installPostgres();
  const clusters = join(root, "clusters");
  mkdirSync(clusters, { recursive: true });
  removeAbandoned(clusters);
  const folder = mkdtempSync(join(clusters, `${process.pid}-`));
  chownSync(folder, user, user);
  const data = `/clusters/${basename(folder)}/data`;
  const port = await freePort();
  const chrooted = (program, ...args) => [
    "chroot",
    `--userspec=${user}:${user}`,
    root,
    `${programs}/${program}`,
    ...args,
  ];
  const run = (...command) =>
    new Promise((resolve, reject) => {
      const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" };
      execFile(command[0], command.slice(1), { env }, (error, output, errors) =>
        error ? reject(new Error(`${command.join(" ")}\n${errors}`)) : resolve(output),
      );
    });
  if (standbyOf) {
    const source = `host=127.0.0.1 port=${standbyOf.port} user=lectern`;
    await run(...chrooted("pg_basebackup", "-R", "-c", "fast", "-D", data, "-d", source));
  } else {
    const options = ["--no-locale", "--encoding=UTF8", "--auth=trust", "--no-sync"];
    await run(...chrooted("initdb", "-D", data, "-U", "lectern", ...options));
  }
  const lines = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '/clusters/${basename(folder)}'`,
    "shared_preload_libraries = 'pg_textsearch'",
    "dynamic_shared_memory_type = mmap",
    "shared_buffers = 64MB",
    "wal_level = replica",
    "hot_standby_feedback = on",
    "jit = off",
    `fsync = ${durable ? "on" : "off"}`,
    ...settings,
  ];
  appendFileSync(join(root, data, "postgresql.conf"), `\n${lines.join("\n")}\n`);
  if (hba) writeFileSync(join(root, data, "pg_hba.conf"), `${hba.join("\n")}\n`);
  let server;
  let log = "";

  const cluster = {
    port,
    host: "127.0.0.1",
    url: `postgresql://lectern@127.0.0.1:${port}/lectern`,
    get log() {
      return log;
    },
    async start() {
      const command = [`${programs}/postgres`, "-D", data];
      const shell = ["/bin/bash", "-c", supervised, ...command];
      server = spawn("chroot", [`--userspec=${user}:${user}`, root, ...shell], {
        stdio: ["ignore", "ignore", "pipe", "pipe"],
        env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" },
      });
      server.closed = new Promise((resolve) => server.once("exit", resolve));
      await new Promise((resolve, reject) => {
        server.stderr.setEncoding("utf8").on("data", (text) => {
          log += text;
          if (text.includes("ready to accept")) resolve();
        });
        server.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
        server.once("error", reject);
      });
    },
    /** `SIGINT` disconnects clients, `SIGKILL` is a crash, `SIGSTOP` a server that hangs. */
    async stop(signal = "SIGINT") {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill("SIGCONT");
      server.kill(signal);
      await server.closed;
      server.stdio[3].destroy();
    },
    signal: (name) => server.kill(name),
    promote: () => run(...chrooted("pg_ctl", "promote", "-D", data)),
    async remove() {
      await cluster.stop("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await cluster.start();
  if (!standbyOf) {
    const connection = ["-h", "127.0.0.1", "-p", String(port), "-U", "lectern"];
    await run(...chrooted("createdb", ...connection, "lectern"));
    const extensions = ["vector", "pg_textsearch"].map((name) => `CREATE EXTENSION ${name}`);
    await run(...chrooted("psql", ...connection, "-d", "lectern", "-qc", extensions.join(";")));
  }
  return cluster;
}

/** Removes the clusters of processes that were killed before they could. */
function removeAbandoned(clusters) {
  for (const name of readdirSync(clusters)) {
    const owner = name.split("-")[0];
    if (!existsSync(`/proc/${owner}`))
      rmSync(join(clusters, name), { recursive: true, force: true });
  }
}

/** A port that was free a moment ago. */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
