/** Properties for the connection to a Director, and their rules. */

import type { InputRules } from "../framework/resourceSchema";
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

const isUrl = (given: string): boolean => {
  if (!/^https?:\/\/\S+$/.test(given) || !URL.canParse(given)) return false;
  const { username, password } = new URL(given);
  return username === "" && password === "";
};

const A_URL = ["an http or https URL without user", isUrl] as const;
const A_TEXT = ["a text"] as const;

export const DIRECTOR_FIELD_RULES: InputRules = {
  url: A_URL,
  tokenUrl: A_URL,
  clientId: A_TEXT,
  clientSecret: A_TEXT,
  tenant: A_TEXT,
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
