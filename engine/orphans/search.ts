import { messageOf } from "../../foundation/errors";
import type { Client } from "../../kubernetes/client/client";
import { otherUid } from "../../kubernetes/identity/clusterUid";

/** Throws if a provisioner's address leads to another cluster or garden than it was registered in. */
export async function requireRegistered(client: Client, uid: string | undefined, project?: string): Promise<void> {
  const other = await otherUid(client, uid, project);
  if (other === undefined) return;
  const kind = project === undefined ? "cluster" : "garden";
  throw new Error(`found ${kind} ${other}; expected ${uid}, which the provisioner was registered in`);
}

/** A search of several places. */
export class Search {
  /** Places that could not be read, each with the reason. */
  readonly unseen: string[] = [];

  /** Undefined if the place can't be read, which does not end the search. */
  async look<T>(place: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.unseen.push(`${place}: ${messageOf(error)}`);
      return undefined;
    }
  }
}
