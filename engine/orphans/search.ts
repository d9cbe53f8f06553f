import { messageOf } from "../../foundation/errors";
import type { Client } from "../../kubernetes/client/client";
import { otherUid } from "../../kubernetes/identity/clusterUid";
import type { OriginOn } from "../../kubernetes/identity/origin";
import { PLATFORM_PROJECT } from "../stack/names";

/** Throws if a provisioner's address leads to another cluster or garden than it was registered in. */
export async function requireRegistered(client: Client, uid: string | undefined, project?: string): Promise<void> {
  const other = await otherUid(client, uid, project);
  if (other === undefined) return;
  const kind = project === undefined ? "cluster" : "garden";
  throw new Error(`found ${kind} ${other}; expected ${uid}, which the provisioner was registered in`);
}

/** A search of several places. */
export class Search {
  /**
   * @param everywhere Deployment whose parts are found wherever they are: a stack of another state backend may have
   * created them for a platform of another name. Default: none.
   */
  constructor(private readonly everywhere?: string) {}

  /** Places that could not be read, each with the reason. */
  readonly unseen: string[] = [];

  /** Whether a part counts as one of the platform stack with this name. */
  isOf(name: string, { platform, deployment }: Pick<OriginOn, "platform" | "deployment">): boolean {
    if (platform === undefined) return false;
    return platform.endsWith(`/${PLATFORM_PROJECT}/${name}`) || deployment === this.everywhere;
  }

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
