/** Paths in kustomizations. */

export const folderOf = (file: string): string => (file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "");

/** Resolves a path relative to the bundle's root, empty for the root itself; undefined if it is outside. */
export function inside(folder: string, path: string): string | undefined {
  if (path.startsWith("/")) return undefined;
  const names = folder === "" ? [] : folder.split("/");
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join("/");
}

/** References that kustomize would fetch: URLs, addresses of git, and hosts that it recognises without either. */
const REMOTE =
  /^([a-z][a-z0-9+.-]*:|[^/\s]+@[^/\s]+:|(github\.com|gitlab\.com|bitbucket\.org|gh:|git::)|[^?]*\?(ref|version|timeout|submodules)=|.*\.git(\/|$|\?))/i;

export const isRemote = (path: string): boolean => REMOTE.test(path.trim()) || /\/\/|_git\//.test(path);
