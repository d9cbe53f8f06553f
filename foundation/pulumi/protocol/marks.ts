/** How Pulumi marks special values in JSON. The SDK and the engine agree on these texts; they are in every state. */

/** The key of an object that stands for a special value. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The value of {@link SIGNATURE} for a secret. */
export const SECRET_MARK = "1b47061264138c4ac30d75fd1eb44270";

/** Placeholder for a value that is unknown until the update. During preview any value may be unknown. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine's placeholders for unknown values of any type. */
export const UNKNOWNS: ReadonlySet<string> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", // boolean
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421", // number
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", // array
  "030794c1-ac77-496b-92df-f27374a8bd58", // asset
  "e48ece36-62e2-4504-bad9-02848725956a", // archive
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff", // object
]);
