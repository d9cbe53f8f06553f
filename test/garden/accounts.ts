/** Credentials of accounts that do not exist, in the form that each cloud's extension expects. */

const GUID = "00000000-0000-0000-0000-000000000001";
const pem = (text: string, kind = ["PRIVATE", "KEY"].join(" ")): string =>
  `-----BEGIN ${kind}-----\n${text}\n-----END ${kind}-----\n`;

export const ACCOUNTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gcp: {
    "serviceaccount.json": JSON.stringify({
      type: "service_account",
      project_id: "acme-project",
      client_email: "acme@acme-project.iam.gserviceaccount.com",
      private_key_id: "0123456789abcdef0123456789abcdef01234567",
      private_key: pem("none"),
      token_uri: "https://oauth2.googleapis.com/token",
    }),
  },
  azure: { tenantID: GUID, subscriptionID: GUID, clientID: GUID, clientSecret: "a".repeat(40) },
  aws: { accessKeyID: "A".repeat(20), secretAccessKey: "a".repeat(40) },
  openstack: {
    domainName: "acme",
    tenantName: "acme",
    username: "acme",
    password: "none-at-all",
    authURL: "https://keystone.example.com/v3",
  },
};
