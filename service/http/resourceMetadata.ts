import type { IncomingMessage, ServerResponse } from "node:http";
import type { TokenIssuing } from "../api/auth/settings";
import { sendJson } from "./answers";

/** The path of the API's metadata (RFC 9728, section 3.1). */
export const metadataPath = (endpoint: string): string => `/.well-known/oauth-protected-resource${endpoint}`;

/**
 * Sends the protected resource metadata, with what the command line needs besides. TLS ends before the service, so
 * addresses other than this machine's are https.
 */
export function sendMetadata(
  { headers: { host = "localhost" } }: IncomingMessage,
  response: ServerResponse,
  endpoint: string,
  { issuer, audience, clientId, scopes }: TokenIssuing,
): void {
  const protocol = /^(localhost|127\.|\[::1\])/.test(host) ? "http" : "https";
  sendJson(response, 200, {
    resource: `${protocol}://${host}${endpoint}`,
    resource_name: "Stackyard",
    bearer_methods_supported: ["header"],
    ...(issuer !== undefined && { authorization_servers: [issuer] }),
    ...(issuer !== undefined && { scopes_supported: scopes.split(/[\s,]+/).filter((scope) => scope !== "") }),
    stackyard_audience: audience,
    ...(clientId !== undefined && { stackyard_client_id: clientId }),
  });
}
