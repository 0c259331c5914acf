/**
 * Runs `end` when the parent process has exited. The parent may exit before this process listens for
 * the event; in that case the channel is already closed.
 */
export function onParentExit(end: () => void): void {
  process.on("disconnect", end);
  if (!process.connected) end();
}

/**
 * Ends this process even if one of its threads is blocked; a normal exit would wait for the thread.
 */
export const exitImmediately = (): void => void process.kill(process.pid, "SIGKILL");
