/** Provisioners that may be removed although deployments use them. */

import { listInConfig } from "../foundation/pulumi/stackConfig";

const KEY = "allowRemoval";

export const mayBeRemoved = (key: string): boolean => listInConfig(KEY).includes(key);

/** Advice for the end of a message. */
export const howToRemove = (key: string): string =>
  `Destroy or move them first, or allow it by name: pulumi config set --path 'stackyard:${KEY}[${listInConfig(KEY).length}]' ${key}`;
