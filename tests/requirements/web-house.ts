/** What a person sees of the house itself: home, palette, settings, repositories. */
export const webHouse = {
  "house.clients.bounded":
    "of many names the oldest are forgotten, and never one that is connected",
  "house.clients.list": "clients are listed with their connections and calls, the connected first",
  "house.http.house": "the house tells its health, the work that runs and who is connected",
  "house.http.page-progress":
    "the page hears how far a call has come, and ends the call when it stops listening",
  "house.running.long": "what lasts is told of with how far it has come, and when it ends",
  "house.running.short": "what ends at once is never told of",
  "repository.known.documents":
    "a file is found as a document from its repository and from a folder in it",
  "repository.known.list":
    "the server's folder, those of collections and those analysed are offered once each",
  "repository.known.map": "every page has its kind, however many there are, in parts that go on",
  "web.home.first-steps":
    "an empty home explains three steps, and the first is done there by keyboard",
  "web.home.leaf":
    "the documents of a collection are listed, walked along and opened by keyboard, and more on request",
  "web.home.stand": "home tells models, health and clients, and follows them while one looks",
  "web.home.work": "work that takes its time is shown with how far it is, and can be stopped",
  "web.keys.sheet": "the sheet has the keys of every screen, and g with a letter leads to each",
  "web.palette.acts":
    "an act of the screen is done from the palette, with its key shown, even where single keys are off",
  "web.palette.documents":
    "documents that were never opened are offered by what is typed of their title or path",
  "web.palette.find":
    "screens, collections, documents and projects are found by a few letters and opened by keyboard",
  "web.palette.keys":
    "arrows move, Escape closes and gives the focus back, and nothing is offered for nonsense",
  "web.print.whole":
    "every screen is printed whole and dark on light, without what can only be pressed",
  "web.repository.analysis":
    "a repository is chosen by keyboard, and its languages, packages and kinds of pages are seen",
  "web.repository.drift":
    "what pages say wrongly of the code is seen, written by a person on a second press and taken back",
  "web.repository.findings": "gaps, broken links and old pages lead to the line in the reader",
  "web.repository.stop":
    "long work shows how far it is and is stopped by a key; a wrong folder says so",
  "web.screens.apart": "a screen looks the same whichever others were seen before",
  "web.settings.look":
    "theme and size are chosen by keyboard, kept, and there before the page is drawn",
  "web.windows.apart": "a window opens where another has just closed, and stays",
  "web.windows.focus":
    "every window is told by its name, holds the focus, and gives it back when it closes",
};
