import * as z from "zod";
import { flag, matching, strict } from "../../../../foundation/schema/fields";
import { objectName } from "./fields";

/** Schemas of a cluster's access and DNS settings. */

const text = (what: string) => matching(/\S/, what);

export const oidcConfig = strict(
  "an object with clientID, groupsClaim, issuerURL, signingAlgs, usernameClaim, usernamePrefix",
  {
    clientID: text("the id of a client").describe("Client id that tokens must have as audience."),
    groupsClaim: text("the name of a claim").describe("Claim with the user's groups."),
    issuerURL: matching(/^https:\/\/[^\s?#]+$/, "an https URL without query and fragment").describe(
      "URL of the issuer of tokens.",
    ),
    signingAlgs: z
      .array(matching(/^(?:[REP]S)(?:256|384|512)$/, "an algorithm such as RS256"), { error: "a list of algorithms" })
      .min(1, { error: "at least one algorithm" })
      .describe("Signing algorithms of tokens."),
    usernameClaim: text("the name of a claim").describe("Claim with the user's name."),
    usernamePrefix: text("a prefix, or - for none").describe("Prefix of user names in the cluster. `-`: no prefix."),
  },
);

const domain = () =>
  matching(
    /^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)+[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
    "a domain such as acme.example.com",
  );

export const dnsConfig = strict("an object with domain and providers", {
  domain: domain().describe("Domain of the cluster. The API server has the host `api.<domain>`."),
  providers: z
    .array(
      strict("an object with domainsInclude, primary, secretName, type", {
        domainsInclude: z
          .array(domain(), { error: "a list of domains" })
          .optional()
          .describe("Domains that the provider serves. Default: the cluster's domain."),
        primary: flag().describe("`true`: the provider serves the cluster's own domain."),
        secretName: objectName("the name of a Secret").describe(
          "Secret in the Gardener project with the provider's credentials.",
        ),
        type: text("a type such as aws-route53").describe("Type of the provider, such as `aws-route53`."),
      }),
      { error: "a list of providers" },
    )
    .optional()
    .describe("DNS providers. Default: Gardener's."),
});

export const administrators = z.array(text("the name of a user"), { error: "a list of users" });
