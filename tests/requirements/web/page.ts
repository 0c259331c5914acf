/** Requirements of the page itself: home, palette, settings, repositories. */
export const webPage = {
  "core.clients.bounded":
    "the oldest client names are dropped over the limit, but never a connected one",
  "core.clients.list": "clients are listed with their connections and calls, connected ones first",
  "core.http.system": "the server reports its health, running tasks and connected clients",
  "core.http.page-progress":
    "the page receives the progress of a call, and ends the call when it disconnects",
  "core.running.long": "a long task is reported with its progress and its end",
  "core.running.short": "a short task is never reported",
  "repository.known.documents":
    "a file is found as a document from its repository and from a folder in it",
  "repository.known.list":
    "the server's folder, collection folders and analyzed repositories are offered once each",
  "repository.known.map": "every page has its kind, in pages of any number",
  "web.home.first-steps":
    "an empty home explains three steps, and the first is done there by keyboard",
  "web.home.browse":
    "the documents of a collection are listed, navigated and opened by keyboard, and more on request",
  "web.home.status": "the home screen shows models, health and clients, and updates live",
  "web.home.work": "long tasks are shown with progress and can be stopped",
  "web.keys.sheet":
    "the shortcut sheet lists the keys of every screen, and g with a letter opens each",
  "web.palette.acts":
    "a screen's action can be run from the palette, with its key shown, even if single keys are off",
  "web.palette.documents": "documents never opened before are found by title or path",
  "web.palette.find":
    "screens, collections, documents and projects are found by a few letters and opened by keyboard",
  "web.palette.keys":
    "arrow keys move, Escape closes and restores the focus, and nonsense has no results",
  "web.print.whole": "every screen is printed completely, dark on light, without controls",
  "web.repository.analysis":
    "a repository is chosen by keyboard, and its languages, packages and page kinds are shown",
  "web.repository.drift":
    "outdated documentation is shown, and a fix is written after a second key press and undone",
  "web.repository.findings": "gaps, broken links and old pages link to the line in the reader",
  "web.repository.stop":
    "a long task shows progress and is stopped by a key; a wrong folder is reported",
  "web.screens.independent": "a screen looks the same whichever screens were shown before",
  "web.settings.appearance":
    "theme and size are chosen by keyboard, stored, and applied before the first paint",
  "web.windows.consecutive": "a dialog opened right after another has closed stays open",
  "web.windows.focus": "every dialog has a name, traps the focus, and restores it when it closes",
};
