/** The preview of taking a thing over before its owner permits it: `stackyard adopt` shows what would change, and asks. */

/** Begins the message of a provider that says from whom a thing would be taken over. */
export const TAKES_OVER = "takes over";

const VARIABLE = "STACKYARD_PREVIEW_ADOPTION";

/** The environment of a preview in which things, as `<namespace>/<name>`, may be taken over. */
export const previewing = (things: readonly string[]): NodeJS.ProcessEnv => ({
  ...process.env,
  [VARIABLE]: things.join(","),
});

/** Whether this is such a preview. An update never asks: it needs the permission in the record of the owner. */
export const isPreviewed = (thing: string, preview: boolean): boolean =>
  preview && process.env[VARIABLE]?.split(",").includes(thing) === true;
