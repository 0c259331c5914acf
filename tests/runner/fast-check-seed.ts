import fc from "fast-check";
import { readSeed } from "./seed.ts";

fc.configureGlobal({ seed: readSeed() });
