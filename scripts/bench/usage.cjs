/** Loaded into every process of a measured program; writes down at its end what it has used. */
const { appendFileSync, readFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

if (isMainThread) process.on("exit", writeDown);

function writeDown() {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpu = (userCPUTime + systemCPUTime) / 1000;
  const line = JSON.stringify({ cpu, peak: (peakOfImage() ?? maxRSS) * 1024 });
  appendFileSync(process.env.LECTERN_BENCH_USAGE, `${line}\n`);
}

/** What the system counts for a process starts with the size of its parent; this does not. */
function peakOfImage() {
  try {
    const found = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
    return found ? Number(found[1]) : undefined;
  } catch {
    return undefined;
  }
}
