/** An image with a tag, a digest, or both. */
export const TAGGED =
  /^[a-z0-9][a-z0-9._-]*(:\d+(?=\/))?(\/[a-z0-9._-]+)*(:[A-Za-z0-9_][\w.-]{0,127}(@sha256:[0-9a-f]{64})?|@sha256:[0-9a-f]{64})$/;

/** Why an image is not pinned: empty if it has neither tag nor digest, undefined if it is pinned. */
export function checkPinnedImage(text: string): string | undefined {
  if (!TAGGED.test(text)) return "";
  return text.endsWith(":latest") ? "latest can change at any time; use a fixed version" : undefined;
}
