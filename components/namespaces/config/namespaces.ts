import type { Fault } from "../../../foundation/schema/faults";
import { nearest } from "../../../foundation/text/nearest";

/**
 * Keys whose namespace is most likely meant to be `namespace`, such as `stackyrad:ray`: Pulumi hands them to nobody, so
 * without a fault the stack would silently go without them. Namespaces of providers are near to none of ours.
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
