/**
 * The second factor of the session, besides the cookie. Browsers send cookies to every port of a
 * host, so the cookie alone must not authenticate. The server sends this key with the page, and the
 * page stores it for its own origin.
 */
const name = "lectern-page-key";

/** Without local storage the key lasts as long as the page. */
let currentKey: string | undefined = readStoredKey();

storeKey(document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content);
// A login link is valid once, so remove it from the history.
if (location.pathname === "/login") history.replaceState(null, "", "/");

export const pageKey = (): string => currentKey ?? "";

/** `fetch` with the key of the page. */
export const fetchAsPage = (path: string, options: RequestInit = {}): Promise<Response> => {
  const headers = new Headers(options.headers);
  headers.set("x-lectern-page-key", pageKey());
  return fetch(path, { ...options, headers });
};

/** Requests a new session, since a restarted server has lost the old one. */
export async function renewSession(): Promise<boolean> {
  const response = await fetchAsPage("/", { headers: { accept: "text/html" } });
  if (!response.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const key = page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  storeKey(key);
  return key !== undefined;
}

function storeKey(key: string | undefined): void {
  if (key === undefined) return;
  currentKey = key;
  try {
    localStorage.setItem(name, key);
  } catch {
    // Without local storage the key lasts as long as the page.
  }
}

function readStoredKey(): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}
