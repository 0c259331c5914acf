/**
 * Starts the program and caches its compiled code: compiling takes longer than most commands. Newer
 * versions of Node have a compile cache; for older ones the cache is implemented here, in a folder
 * that only its owner can write to. The build copies this file to `dist/` and inserts the
 * fingerprint of the code.
 */
const fs = require("node:fs");
const nodeModule = require("node:module");
const { homedir } = require("node:os");
const { join } = require("node:path");

const fingerprint = "FINGERPRINT";
const file = join(__dirname, "main.js");
/** Loaded at the first use: a command that another process runs, or `--version`, does not need it. */
const crc32 = (bytes) => require("node:zlib").crc32(bytes);

/** A cache file ends with the CRC-32 of the compiled code. */
const checksumBytes = 4;

/** What `--version` prints under each name. */
const versions = "VERSIONS";

module.exports = (program, argv = process.argv.slice(2)) => {
  if (argv.length === 1 && argv[0] === "--version") return printVersion(program);
  process.on("uncaughtException", failUncaught);
  const runHere = () => load(argv[0]).run(program, argv, fingerprint);
  require(join(__dirname, "command-client.js")).forwardCommand(
    { build: fingerprint, program, argv },
    runHere,
  );
};

/** The entry point of a host's worker thread. */
module.exports.host = () => load("host").runHostThread();

/** Without loading the program: editors and scripts ask for the version often. */
function printVersion(program) {
  fs.writeSync(1, `${program} ${versions[program]}\n`);
}

/** Node would print the line of the bundle as well, which has thousands of characters. */
function failUncaught(error) {
  fs.writeSync(2, `${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}

/**
 * Shows the original file and line in stack traces. The source map is read when the first trace is
 * formatted, so a run without errors does not pay for it.
 */
let sourceMap;
Error.prepareStackTrace = (error, frames) =>
  [String(error), ...frames.map((frame) => `    at ${originalOf(frame)}`)].join("\n");

function originalOf(frame) {
  if (frame.getFileName() !== file) return String(frame);
  sourceMap ??= readSourceMap();
  const entry = sourceMap?.findEntry(frame.getLineNumber() - 1, frame.getColumnNumber() - 1);
  if (!entry?.originalSource) return String(frame);
  const source = entry.originalSource.replace(/^(\.\.\/)+/, "");
  const position = `${source}:${entry.originalLine + 1}`;
  const name = frame.getFunctionName();
  return name ? `${frame.isAsync() ? "async " : ""}${name} (${position})` : position;
}

function readSourceMap() {
  try {
    return new nodeModule.SourceMap(JSON.parse(fs.readFileSync(`${file}.map`, "utf8")));
  } catch {
    return undefined;
  }
}

function load(command) {
  if (nodeModule.enableCompileCache) {
    nodeModule.enableCompileCache();
    return require(file);
  }
  const vm = require("node:vm");
  const cacheFile = join(cacheFolder(), `${fingerprint}-${process.version}-${nameOf(command)}`);
  const cachedData = readIntact(cacheFile);
  // The build escapes non-ASCII characters, so every character is one byte.
  const script = new vm.Script(nodeModule.wrap(fs.readFileSync(file, "latin1")), {
    filename: file,
    cachedData,
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (!cachedData || script.cachedDataRejected) {
    // Only valid commands exit with 0, so a mistyped command leaves no cache file.
    process.once("exit", (code) => code === 0 && writeCache(script, cacheFile));
  }
  const loaded = { exports: {} };
  const run = script.runInThisContext();
  run.call(loaded.exports, loaded.exports, nodeModule.createRequire(file), loaded, file, __dirname);
  return loaded.exports;
}

/** One cache file per command: each uses a different part of the code, and unused code takes time to read. */
const nameOf = (command = "") => (/^[a-z][a-z-]*$/.test(command) ? command : "any");

/** A home in PostgreSQL has no folder. */
function cacheFolder() {
  const { LECTERN_HOME, XDG_CACHE_HOME } = process.env;
  if (LECTERN_HOME && !/^postgres(ql)?:/.test(LECTERN_HOME)) return join(LECTERN_HOME, "cache");
  return join(XDG_CACHE_HOME || join(homedir(), ".cache"), "lectern");
}

/** V8 does not verify cached code and can crash on damaged data, so the checksum is verified here. */
function readIntact(path) {
  try {
    const bytes = fs.readFileSync(path);
    const code = bytes.subarray(0, -checksumBytes);
    return crc32(code) === bytes.readUInt32LE(code.length) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Called at exit, when all used functions have been compiled. */
function writeCache(script, path) {
  try {
    fs.mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}`;
    const code = script.createCachedData();
    const checksum = Buffer.alloc(checksumBytes);
    checksum.writeUInt32LE(crc32(code));
    fs.writeFileSync(draft, Buffer.concat([code, checksum]), { mode: 0o600 });
    fs.renameSync(draft, path);
    for (const name of fs.readdirSync(cacheFolder())) {
      if (!name.startsWith(fingerprint)) fs.rmSync(join(cacheFolder(), name));
    }
  } catch {
    // The next start compiles again.
  }
}
