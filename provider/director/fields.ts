/** Properties for the connection to a Director, and their check. */

import type { InputCheck } from "../../foundation/pulumi/inputCheck";
import type { Properties } from "../../foundation/pulumi/resource";
import { flagField, secret, textField } from "../framework/fields";
import type { DirectorAccess } from "./director";

export const directorFields = {
  url: textField("URL of the Director's GraphQL API."),
  tokenUrl: textField("URL where OAuth 2.0 tokens are issued for client credentials."),
  clientId: textField("Client id."),
  clientSecret: secret("Client secret."),
  tenant: textField("Tenant of the runtime."),
  skipCertVerification: flagField("Accept any certificate of both servers. Default: false."),
};

const A_URL = "an http or https URL without user";

export function checkDirector(check: InputCheck, inputs: Properties): void {
  for (const key of ["url", "tokenUrl"]) check.text(key, inputs[key], A_URL, isUrl);
  for (const key of ["clientId", "tenant"]) check.text(key, inputs[key], "a text");
  check.text("clientSecret", inputs["clientSecret"], "a text", (given) => given !== "");
  if (inputs["skipCertVerification"] != null) check.flag("skipCertVerification", inputs["skipCertVerification"]);
}

const isUrl = (given: string): boolean => {
  if (!/^https?:\/\/\S+$/.test(given) || !URL.canParse(given)) return false;
  const { username, password } = new URL(given);
  return username === "" && password === "";
};

/** Returns only the connection properties. */
export const accessOf = (inputs: DirectorAccess): DirectorAccess => ({
  url: inputs.url,
  tokenUrl: inputs.tokenUrl,
  clientId: inputs.clientId,
  clientSecret: inputs.clientSecret,
  tenant: inputs.tenant,
  skipCertVerification: inputs.skipCertVerification,
});
