import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Swaps a folder for a link and back, as fast as a process can. Anything created in the moment
 * when neither exists is moved aside, so that the folder can be restored.
 */
const program = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
const [folder, aside, target] = process.argv.slice(1);
let stopped = false;
let swaps = 0;
let made = 0;
process.on("message", () => { stopped = true; });
process.on("disconnect", () => process.exit(1));
function bringBack() {
  try {
    renameSync(aside, folder);
  } catch {
    renameSync(folder, folder + ".made-" + made++);
    renameSync(aside, folder);
  }
}
function some() {
  for (let count = 0; count < 200; count++) {
    renameSync(folder, aside);
    try { symlinkSync(target, folder); } catch { bringBack(); continue; }
    swaps++;
    try { unlinkSync(folder); } finally { bringBack(); }
    // The folder is restored for a while, or every attempt would be refused immediately.
    for (const end = performance.now() + Math.random() * 2; performance.now() < end; );
  }
  if (stopped) process.send(swaps, () => process.exit(0));
  else setImmediate(some);
}
some();
`;

/** Returns a function that stops it and returns how often the folder was a link. */
export function startSwapper(folder: string, target: string): () => Promise<number> {
  const child = spawn(process.execPath, ["-e", program, folder, `${folder}.aside`, target], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const message = once(child, "message");
  return async () => {
    child.send("stop");
    const [swaps] = await Promise.race([message, ended.then(() => [-1])]);
    await ended;
    return Number(swaps);
  };
}
