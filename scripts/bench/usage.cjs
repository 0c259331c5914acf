/** Preloaded into every process of a measured program; records its resource usage at exit. */
const { appendFileSync, readFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

if (isMainThread) process.on("exit", recordUsage);

function recordUsage() {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpu = (userCPUTime + systemCPUTime) / 1000;
  const line = JSON.stringify({ cpu, peak: (peakMemory() ?? maxRSS) * 1024 });
  appendFileSync(process.env.LECTERN_BENCH_USAGE, `${line}\n`);
}

/** `maxRSS` of a new process includes the size of its parent; VmHWM does not. */
function peakMemory() {
  try {
    const found = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
    return found ? Number(found[1]) : undefined;
  } catch {
    return undefined;
  }
}
