/**
 * Splits an image into the name and tag that charts join with a colon. The registry may have a port, and the tag may be
 * a digest.
 */
export function splitImage(image: string): [string, string] {
  const digest = /^(.*)@(sha256:[0-9a-f]{64})$/.exec(image);
  if (digest !== null) return [`${digest[1]}@sha256`, (digest[2] ?? "").replace("sha256:", "")];
  const at = image.lastIndexOf(":");
  return [image.slice(0, at), image.slice(at + 1)];
}
