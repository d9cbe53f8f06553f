import { Failure } from "../../foundation/errors";
import type { RuntimeChange } from "../../engine/stack/change";
import { readRequests } from "../fleet/requests";
import { changeOf, type UpOptions } from "../runtime/upOptions";

export interface AskedOptions extends UpOptions {
  readonly file?: string;
}

/** Builds the config of a deployment: the fields of a file, in the format of `runtime up -f`, overridden by options. */
export async function askedOf(id: string, { file, ...options }: AskedOptions): Promise<RuntimeChange> {
  const { deployment, platform } = changeOf({ ...options, move: false }, undefined);
  if (file === undefined) return { deployment, platform };
  const requests = await readRequests(file);
  const found = requests.find((request) => request.id === id)?.change;
  if (!found) {
    const ids = requests.map((request) => request.id).join(", ");
    throw new Failure(`${file}: found ${ids}; expected the deployment ${id} among them`);
  }
  const said = Object.fromEntries(Object.entries(deployment).filter(([, value]) => value !== undefined));
  return { deployment: { ...found.deployment, ...said }, platform: platform ?? found.platform };
}
