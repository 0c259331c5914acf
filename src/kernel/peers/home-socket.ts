import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { connect, type Server } from "node:net";
import { dirname, join } from "node:path";

/** The result of binding the Unix socket of a home. */
export interface HomeSocket {
  /** Whether this server listens on it. */
  readonly isBound: boolean;
  /** The reason if it is not bound and the user should know. */
  readonly note?: string;
  /** Removes the socket, unless another server has replaced it. */
  remove(): void;
}

/** The size of `sun_path` without the terminating zero. */
const maxPathBytes = process.platform === "darwin" ? 103 : 107;

/**
 * Makes a server listen on a Unix socket of mode 0600. The socket is bound in a folder of mode 0700
 * and renamed into place after chmod, so no other user can connect in between. A stale socket is
 * replaced; the socket of a running server is left alone.
 */
export async function bindHomeSocket(server: Server, path: string): Promise<HomeSocket> {
  const unbound = (note?: string): HomeSocket => ({
    isBound: false,
    ...(note !== undefined && { note }),
    remove: () => {},
  });
  if (process.platform === "win32") return unbound();
  const length = Buffer.byteLength(join(dirname(path), ".socket-XXXXXX", "s"));
  if (length > maxPathBytes) {
    return unbound(
      `No Unix socket: its path would have ${length} bytes, and the limit is ${maxPathBytes}. Set LECTERN_HOME to a shorter path.`,
    );
  }
  if (await isListening(path)) return unbound();
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(dirname(path), ".socket-"));
    const temporaryPath = join(folder, "s");
    await listen(server, temporaryPath);
    chmodSync(temporaryPath, 0o600);
    const { ino } = lstatSync(temporaryPath);
    renameSync(temporaryPath, path);
    return {
      isBound: true,
      remove() {
        if (lstatSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true });
      },
    };
  } catch (error) {
    server.close();
    return unbound(
      `Cannot create a Unix socket in the home: ${(error as NodeJS.ErrnoException).code}.`,
    );
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

const isListening = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(path, () => resolve());
  });
}
