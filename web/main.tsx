import { render } from "preact";
import { listenToKeys } from "./keys.ts";
import { listen } from "./live.ts";
import { Page } from "./page.tsx";

listen();
listenToKeys();
render(<Page />, document.body);
