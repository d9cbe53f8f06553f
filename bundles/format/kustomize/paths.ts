/** Paths as kustomizations write them. */

export const folderOf = (file: string): string => (file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "");

/** As a path below the bundle's root, empty for the root itself; undefined when it leads out of it. */
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

/** What kustomize would fetch: by a URL, as git writes addresses, or the hosts that it knows without either. */
const REMOTE =
  /^([a-z][a-z0-9+.-]*:|[^/\s]+@[^/\s]+:|(github\.com|gitlab\.com|bitbucket\.org|gh:|git::)|[^?]*\?(ref|version|timeout|submodules)=|.*\.git(\/|$|\?))/i;

export const isRemote = (path: string): boolean => REMOTE.test(path.trim()) || /\/\/|_git\//.test(path);
