import { render } from "preact";
import { Page } from "./app/page.tsx";
import { listenForShortcuts } from "./keyboard/shortcuts.ts";
import { listenForServerEvents } from "./server/server-events.ts";

listenForServerEvents();
listenForShortcuts();
render(<Page />, document.body);
