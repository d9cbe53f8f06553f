import type { Fault } from "../../../foundation/schema/faults";
import { nearest } from "../../../foundation/text/nearest";

/**
 * Finds config keys whose namespace looks like a misspelling of `namespace`, such as `stackyrad:ray`. Pulumi ignores
 * them, so the stack would silently lack them. The namespaces of providers are not similar to ours.
 */
export function misspelt(keys: readonly string[], namespace: string): Fault[] {
  return keys.flatMap((key) => {
    const at = key.indexOf(":");
    const [given, name] = [key.slice(0, at), key.slice(at + 1)];
    if (given === namespace || nearest(given, [namespace]) === undefined) return [];
    const message = `found it in the namespace ${JSON.stringify(given)}; expected ${namespace}; write ${namespace}:${name}`;
    return [{ path: [name], message }];
  });
}
