import { createHash, timingSafeEqual } from "node:crypto";
import type { StaticToken } from "../../environment/fields";
import type { Identity } from "./identity";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Looks up the identity of a static token. The comparison takes constant time. */
export function staticIdentities(tokens: readonly StaticToken[]): (token: string) => Identity | undefined {
  const known = tokens.map(({ token, tenant, role }, index) => ({
    digest: digest(token),
    identity: { actor: `static-token-${index + 1}`, roles: { [tenant]: role } },
  }));
  return (token) => {
    const given = digest(token);
    return known.filter((each) => timingSafeEqual(each.digest, given)).at(0)?.identity;
  };
}
