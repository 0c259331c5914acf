import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { connect, type Server } from "node:net";
import { dirname, join } from "node:path";

/** What came of binding the Unix socket of a home. */
export interface HomeSocket {
  /** Whether this server answers on it. */
  readonly isBound: boolean;
  /** Why not, where somebody should know. */
  readonly note?: string;
  /** Takes the socket away, unless another server has put its own in the place. */
  remove(): void;
}

/** Bytes of a path that fit into `sun_path`, less the zero at its end. */
const maxPathBytes = process.platform === "darwin" ? 103 : 107;

/**
 * Makes a server listen on a Unix socket of mode 0600. It is bound inside a folder of mode 0700 and
 * moved into its place when its own mode is right, so nobody can connect in between. One that
 * a dead server left is replaced; one that answers belongs to another server and is left alone.
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
      `No Unix socket: its path would have ${length} bytes, and ${maxPathBytes} is the limit. Choose a shorter LECTERN_HOME for one.`,
    );
  }
  if (await answers(path)) return unbound();
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(dirname(path), ".socket-"));
    const fresh = join(folder, "s");
    await listen(server, fresh);
    chmodSync(fresh, 0o600);
    const { ino } = lstatSync(fresh);
    renameSync(fresh, path);
    return {
      isBound: true,
      remove() {
        if (lstatSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true });
      },
    };
  } catch (error) {
    server.close();
    return unbound(`No Unix socket in the home: ${(error as NodeJS.ErrnoException).code}.`);
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

const answers = (path: string): Promise<boolean> =>
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
