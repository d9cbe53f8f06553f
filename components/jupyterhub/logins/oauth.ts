import type * as z from "zod";
import type { Values } from "../../../foundation/json/merge";
import { mismatch, type Fault } from "../../../foundation/schema/faults";
import { matching, type strict } from "../../../foundation/schema/fields";
import { foundAt } from "../../../foundation/schema/issues";
import { secret } from "../../../foundation/schema/secretValues";
import { authPath, type Address, type LoginContext } from "./login";

/** What all logins have in common that send users to an issuer, which sends them back to the hub. Pure. */

/** Keys for the hub as a client. `application`: what it is there, such as `the Auth0 application`. */
export const clientFields = (application: string) => ({
  clientId: matching(/^\S+$/, `the client id of ${application}`).describe(`Client id of ${application}.`),
  clientSecret: secret(matching(/^\S+$/, `the client secret of ${application}`)).describe(
    `Client secret of ${application}; a secret. It is put into a Kubernetes Secret and nowhere else.`,
  ),
  callback: matching(/^https?:\/\/\S+\/hub\/oauth_callback$/, "a URL that ends in /hub/oauth_callback")
    .optional()
    .describe(`Callback URL, which must be registered in ${application}. Default: derived from \`host\` and \`tls\`.`),
});

type HubClient = z.output<ReturnType<typeof strict<ReturnType<typeof clientFields>>>>;

/** Faults of the callback. `issuer`: its name. */
export function callbackFaults({ callback }: HubClient, issuer: string, context: LoginContext): Fault[] {
  const { host, scheme, place } = context;
  if (callback === undefined) {
    if (host !== undefined) return [];
    const expected = `a host name, because ${issuer} sends people back to it`;
    return [mismatch(["jupyterhub", "host"], "nothing", expected, "or give auth.callback")];
  }
  const path = authPath("callback");
  const faults: Fault[] = [];
  if (!callback.startsWith(`${scheme}:`) && scheme === "https") {
    faults.push(mismatch(path, foundAt(place, path), "a URL with https, because TLS is on"));
  }
  if (host !== undefined && new URL(callback).hostname !== host) {
    faults.push(mismatch(path, foundAt(place, path), `a URL with the host ${host}`));
  }
  return faults;
}

export const clientTraits = ({ clientId, callback }: HubClient, { host = "", scheme }: Address): Values => ({
  client_id: clientId,
  oauth_callback_url: callback ?? `${scheme}://${host}/hub/oauth_callback`,
});
