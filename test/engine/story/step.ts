import type { Notebook } from "./notebook";
import type { Story } from "./story";
import type { Teraslice } from "./teraslice";

/** What happens next in the story; each step builds upon those before it. */
export interface Step {
  readonly title: string;
  /** The part of the platform that it needs. */
  readonly part?: "notebook" | "teraslice";
  readonly run: (story: Story) => Promise<void>;
}

export const ofNotebook = (title: string, run: (notebook: Notebook) => Promise<void>): Step => ({
  title,
  part: "notebook",
  run: ({ notebook }) => run(notebook!),
});

export const ofTeraslice = (title: string, run: (teraslice: Teraslice) => Promise<void>): Step => ({
  title,
  part: "teraslice",
  run: ({ teraslice }) => run(teraslice!),
});
