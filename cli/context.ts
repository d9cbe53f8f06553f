import type { Workspaces } from "../foundation/pulumi/backend";
import { colours, isColourful, type Colours } from "./terminal/colours";
import { Live } from "./terminal/live";

/** What every command gets. Results go to standard output, progress and messages to standard error. */
export interface Context extends Workspaces {
  /** The project folder. */
  readonly root: string;
  readonly colours: Colours;
  readonly live: Live;
  /** Prints a result. */
  print(text: string): void;
}

export function createContext(workspaces: Workspaces): Context {
  const colourful = isColourful(process.stderr);
  const live = new Live(process.stderr, colourful);
  return {
    root: workspaces.platforms.folder,
    ...workspaces,
    colours: colours(colourful),
    live,
    print: (text) => {
      live.erase();
      process.stdout.write(`${text}\n`);
    },
  };
}

/** Reports success. */
export const success = ({ live, colours }: Pick<Context, "live" | "colours">, text: string): void =>
  live.line(`${colours.good("✓")} ${text}`);
