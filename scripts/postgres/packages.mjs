/**
 * Installs PostgreSQL 18 with pgvector and pg_textsearch from Debian's packages into a folder of its
 * own, from which `cluster.mjs` starts it by chroot. The machine's own packages are not changed.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The first suite of Debian with all packages. */
const suite = "forky";
const packages = [
  "postgresql-18",
  "postgresql-18-pgvector",
  "postgresql-18-pg-textsearch",
  ...["bash", "coreutils", "dash", "libc-bin", "tzdata"],
];

/** PostgreSQL refuses to run as root; no account of the machine has this number. */
export const user = 1999;

/** Only root can write here, so no other user can replace the programs. */
const cache = "/var/cache/lectern-tests";

/** The folder with the installed packages; it is complete as soon as it exists. */
const postgresRoot = join(cache, "postgresql-18");

/** Why PostgreSQL can neither be used nor installed on this machine, if it cannot. */
export function whyNotInstallable() {
  if (existsSync(postgresRoot) && process.getuid() === 0) return undefined;
  if (process.platform !== "linux") return "this is not Linux";
  if (process.getuid() !== 0) return "this user is not root";
  for (const tool of ["/usr/bin/apt-get", "/usr/bin/dpkg-deb", "/usr/sbin/chroot"]) {
    if (!existsSync(tool)) return `${tool} does not exist`;
  }
  return undefined;
}

/** Does nothing if it is installed. Throws an error that says what failed. */
export function installPostgres() {
  const reason = whyNotInstallable();
  if (reason) throw new Error(`PostgreSQL 18 cannot be installed for the tests: ${reason}.`);
  if (existsSync(postgresRoot)) return postgresRoot;
  mkdirSync(cache, { recursive: true, mode: 0o755 });
  const work = mkdtempSync(join(cache, "new-"));
  try {
    const root = join(work, "root");
    unpack(download(join(work, "apt")), root);
    renameSync(root, postgresRoot);
  } catch (error) {
    // Another process may have installed it at the same time.
    if (!existsSync(postgresRoot)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return postgresRoot;
}

/** Downloads the packages with all that they depend on; apt verifies their signatures. */
function download(folder) {
  for (const part of ["state", "lists/partial", "cache/archives/partial", "etc"]) {
    mkdirSync(join(folder, part), { recursive: true });
  }
  const { address, options } = debianSource();
  // Without installed packages, apt downloads every dependency.
  writeFileSync(join(folder, "status"), "");
  writeFileSync(join(folder, "sources.list"), `deb ${options} ${address} ${suite} main\n`);
  const settings = {
    "Dir::State": join(folder, "state"),
    "Dir::State::Lists": join(folder, "lists"),
    "Dir::State::status": join(folder, "status"),
    "Dir::Cache": join(folder, "cache"),
    "Dir::Etc::sourcelist": join(folder, "sources.list"),
    "Dir::Etc::sourceparts": join(folder, "etc"),
    "Dir::Etc::preferencesparts": join(folder, "etc"),
    "APT::Install-Recommends": "false",
    "APT::Sandbox::User": "root",
    "Acquire::Languages": "none",
    "Acquire::Retries": "3",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`);
  const configuration = join(folder, "apt.conf");
  writeFileSync(configuration, lines.join(""));
  run("apt-get", "-q", "-c", configuration, "update");
  run("apt-get", "-q", "-c", configuration, "install", "--download-only", "-y", ...packages);
  return join(folder, "cache", "archives");
}

/** The mirror of this machine's own Debian release, with the options of its line. */
function debianSource() {
  const release = run("sh", "-c", ". /etc/os-release && echo $ID $VERSION_CODENAME").trim();
  const [distribution, codename] = release.split(" ");
  const format = "$(REPO_URI) $(RELEASE) $(SIGNED_BY)";
  const targets = run("apt-get", "indextargets", "--format", format, "Created-By: Packages");
  const [address] =
    targets
      .split("\n")
      .map((line) => line.split(" "))
      .find(([, name]) => name === codename) ?? [];
  if (distribution !== "debian" || !address) {
    throw new Error(
      "PostgreSQL 18 cannot be installed for the tests: the apt sources name no Debian mirror.",
    );
  }
  const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
  return { address, options: existsSync(keyring) ? `[signed-by=${keyring}]` : "" };
}

function unpack(archives, root) {
  // The packages expect that these are links, as the installer of Debian makes them.
  for (const folder of ["bin", "sbin", "lib", "lib64"]) {
    mkdirSync(join(root, "usr", folder), { recursive: true });
    symlinkSync(`usr/${folder}`, join(root, folder));
  }
  for (const file of readdirSync(archives)) {
    if (file.endsWith(".deb")) run("dpkg-deb", "-x", join(archives, file), root);
  }
  writeFileSync(join(root, "etc", "passwd"), `postgres:x:${user}:${user}::/tmp:/bin/sh\n`);
  run("mknod", "-m", "666", join(root, "dev", "null"), "c", "1", "3");
  mkdirSync(join(root, "tmp"), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
}

function run(program, ...args) {
  try {
    return execFileSync(program, args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, LC_ALL: "C", DEBIAN_FRONTEND: "noninteractive" },
    });
  } catch (error) {
    const reason = String(error.stderr ?? error.message).trim();
    throw new Error(
      `PostgreSQL 18 cannot be installed for the tests: ${program} failed.\n${reason}`,
    );
  }
}

// `node scripts/postgres/packages.mjs` installs it.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.stdout.write(`${dirname(installPostgres())}: PostgreSQL 18 is installed.\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
