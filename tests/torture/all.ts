import type { Campaign } from "./campaign.ts";
import { crowd } from "./crowd.ts";
import { damage } from "./damage.ts";
import { frames } from "./frames.ts";
import { full } from "./full.ts";
import { hostile } from "./hostile.ts";
import { kills } from "./kills.ts";
import { processes } from "./processes.ts";
import { same } from "./same.ts";
import { sockets } from "./sockets.ts";

/** Every campaign, in the order in which they are run. */
export const campaigns: readonly Campaign[] = [
  kills,
  damage,
  full,
  frames,
  crowd,
  processes,
  sockets,
  hostile,
  same,
];
