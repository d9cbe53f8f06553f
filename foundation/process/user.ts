import { userInfo } from "node:os";

/** Id of the user of this process; -1 where users have no ids. */
export const userId = (): number => process.getuid?.() ?? -1;

/** Name of the user of this process; the id of a user without an entry in the system's list, as in containers. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(userId());
  }
}
