import { ConfigError, renderPath } from "../../../foundation/schema/faults";
import type { JupyterHubSettings } from "../../../components/jupyterhub/settings";
import { decode, GOOD } from "../config/fixtures";

export const CLIENT_SECRET = "hunter2hunter2";

export const AUTH0 = {
  type: "auth0",
  domain: "acme.eu.auth0.com",
  clientId: "client",
  clientSecret: CLIENT_SECRET,
  adminUsers: ["ann@example.com"],
};

export const OIDC = {
  type: "oidc",
  issuer: "https://acme.okta.com",
  clientId: "client",
  clientSecret: CLIENT_SECRET,
  adminUsers: ["ann@example.com"],
};

export const GITHUB = { type: "github", clientId: "client", clientSecret: CLIENT_SECRET, adminUsers: ["ann"] };

export const LDAP = {
  type: "ldap",
  server: "ldap.example.com",
  lookup: { bindDn: "cn=hub,dc=acme", password: CLIENT_SECRET, base: "ou=people,dc=acme" },
  groups: { base: "ou=groups,dc=acme" },
  adminUsers: ["ann"],
};

/** A hub without faults. */
export const HUB = { host: "hub.example.com", tls: { type: "offload" }, auth: AUTH0 };

interface Place {
  readonly stack?: string;
  readonly secret?: boolean;
}

const decoded = (jupyterhub: unknown, { stack = "staging", secret = true }: Place) =>
  decode({ ...GOOD, jupyterhub }, { stack, secretKeys: new Set(secret ? ["jupyterhub"] : []) });

/** Settings of {@link HUB} with these changes. */
export function settingsOf(changes: Record<string, unknown> = {}, place: Place = {}): JupyterHubSettings {
  const { jupyterhub } = decoded({ ...HUB, ...changes }, place);
  if (jupyterhub === undefined) throw new Error("there is no JupyterHub");
  return jupyterhub;
}

/** The faults of {@link HUB} with these changes, without the key itself. */
export function faultsOf(changes: Record<string, unknown>, place: Place = {}): string[] {
  try {
    decoded({ ...HUB, ...changes }, place);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(
      ({ path, message }) => `${renderPath(path).replace(/^(stackyard:)?jupyterhub\.?/, "")}: ${message}`,
    );
  }
}
