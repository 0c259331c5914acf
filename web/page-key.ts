/**
 * The page's half of its session. The server gives it with the page and never again; the page keeps
 * it for its own origin, so that a cookie which other ports of the host see opens nothing.
 */
const name = "lectern-page-key";

/** Nothing is kept where a browser forbids it; the key then holds until the page is left. */
let known: string | undefined = keptKey();

takeFrom(document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content);
// A link that opened the page holds once, and has no place in the history.
if (location.pathname === "/login") history.replaceState(null, "", "/");

export const pageKey = (): string => known ?? "";

/** The same as `fetch`, with the page's key. */
export const fetchAsPage = (path: string, options: RequestInit = {}): Promise<Response> => {
  const headers = new Headers(options.headers);
  headers.set("x-lectern-page-key", pageKey());
  return fetch(path, { ...options, headers });
};

/** A server that was started anew knows no old session, and may give another with the page. */
export async function isWelcomeAgain(): Promise<boolean> {
  const response = await fetchAsPage("/", { headers: { accept: "text/html" } });
  if (!response.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  takeFrom(fresh);
  return fresh !== undefined;
}

function takeFrom(fresh: string | undefined): void {
  if (fresh === undefined) return;
  known = fresh;
  try {
    localStorage.setItem(name, fresh);
  } catch {
    // It holds without being kept.
  }
}

function keptKey(): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}
