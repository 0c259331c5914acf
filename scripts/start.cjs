/**
 * Starts the program and keeps its compiled code between starts: compiling takes longer than most
 * commands do. Newer versions of Node keep it themselves when they are asked to; for the others it
 * is done here, in a folder that only its owner writes. Copied to `dist/` by the build, which puts
 * in the fingerprint of the code.
 */
const fs = require("node:fs");
const nodeModule = require("node:module");
const { homedir } = require("node:os");
const { join } = require("node:path");
const vm = require("node:vm");
const { crc32 } = require("node:zlib");

const fingerprint = "FINGERPRINT";
const file = join(__dirname, "main.js");
/** Behind the compiled code stands a sum of it. */
const sumBytes = 4;

module.exports = (program, argv = process.argv.slice(2)) => load(argv[0]).run(program, argv);
/** What the worker thread of a host runs. */
module.exports.host = () => load("host").serveHost();

function load(command) {
  if (nodeModule.enableCompileCache) {
    nodeModule.enableCompileCache();
    return require(file);
  }
  const kept = join(cacheFolder(), `${fingerprint}-${process.version}-${nameOf(command)}`);
  const cachedData = readWhole(kept);
  // The build has seen to it that every character is one byte.
  const script = new vm.Script(nodeModule.wrap(fs.readFileSync(file, "latin1")), {
    filename: file,
    cachedData,
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (!cachedData || script.cachedDataRejected) {
    // Only what is a command ends well, so no typing error leaves a file behind.
    process.once("exit", (code) => code === 0 && keep(script, kept));
  }
  const made = { exports: {} };
  const run = script.runInThisContext();
  run.call(made.exports, made.exports, nodeModule.createRequire(file), made, file, __dirname);
  return made.exports;
}

/** Each command uses other parts of the code; reading what it does not use takes time, too. */
const nameOf = (command = "") => (/^[a-z][a-z-]*$/.test(command) ? command : "any");

function cacheFolder() {
  const { LECTERN_HOME, XDG_CACHE_HOME } = process.env;
  if (LECTERN_HOME) return join(LECTERN_HOME, "cache");
  return join(XDG_CACHE_HOME || join(homedir(), ".cache"), "lectern");
}

/** V8 takes what it is given for its own, and falls with what a disk has damaged. */
function readWhole(path) {
  try {
    const bytes = fs.readFileSync(path);
    const code = bytes.subarray(0, -sumBytes);
    return crc32(code) === bytes.readUInt32LE(code.length) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** At the end of a run, when the functions that it needed have been compiled. */
function keep(script, path) {
  try {
    fs.mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}`;
    const code = script.createCachedData();
    const sum = Buffer.alloc(sumBytes);
    sum.writeUInt32LE(crc32(code));
    fs.writeFileSync(draft, Buffer.concat([code, sum]), { mode: 0o600 });
    fs.renameSync(draft, path);
    for (const name of fs.readdirSync(cacheFolder())) {
      if (!name.startsWith(fingerprint)) fs.rmSync(join(cacheFolder(), name));
    }
  } catch {
    // The next start compiles again.
  }
}
