import { validRange } from "semver";
import * as z from "zod";
import { FORMAT_NAMES } from "../../../foundation/bundleFormats";
import { SHA256, SOURCE_TYPES } from "../../../foundation/bundleSources";
import {
  checkedText,
  count,
  flag,
  matching,
  NAMESPACE,
  oneOf,
  strict,
  listOf,
  list,
} from "../../../foundation/schema/fields";
import { concealed, secret } from "../../../foundation/schema/secretValues";
import { namespaceFields } from "../../namespaces/config/schema";
import { sourceSchema } from "../../bundleSources";

/** Schema of the keys `bundleClasses`, `bundles` and `instances`. */

const NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
const name = () => matching(NAME, "a name of a-z, 0-9 and inner -, 40 characters at most");
const LEGAL = "a legal name: a-z, 0-9 and inner -, 63 characters at most";
const NUMBER = "(0|[1-9]\\d*)";
const PART = `(${NUMBER}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
/** A semantic version without build metadata. */
const SEMVER = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-${PART}(\\.${PART})*)?$`);
const VERSION = "a version such as 1.4.0, or for a catalog a range such as >=1.2 <2";
/** A range starts with an operator, so that no incomplete version is one. */
const VERSIONS = new RegExp(`${SEMVER.source}|^[<>^~]`);
const isVersion = (text: string): boolean => VERSIONS.test(text) && validRange(text) !== null;
const areVersions = (keys: readonly string[]): boolean => keys.length < 2 || keys.every((one) => SEMVER.test(one));
const GUARDED = ["CustomResourceDefinition", "Namespace"] as const;

const orFile = (text: z.ZodType<string>) =>
  z.union(
    [text, strict("a file", { path: matching(/\S/, "a path").describe("File, relative to the project folder.") })],
    { error: "a secret text (pulumi config set --secret --path …) or { path: FILE }" },
  );
export const givenTexts = { secret: orFile(secret(matching(/\S/, "a text"))), long: orFile(matching(/\S/, "a text")) };
export const source = sourceSchema(givenTexts);

/** Fields of an instance whose defaults come from its class. */
const defaults = {
  createNamespace: flag()
    .optional()
    .describe("`true`: the platform creates the namespace, which stays when the instance is removed."),
  ...namespaceFields,
  force: flag()
    .optional()
    .describe("`true`: take over fields that other managers own. Default: such a field is an error."),
  rollback: oneOf(["auto", "none"])
    .optional()
    .describe("`auto`: a version that does not become ready is rolled back to the previous content. Default: `none`."),
  approval: oneOf(["never", "more", "always"])
    .optional()
    .describe(
      "When content needs an approval. `more`: when it requests more permissions than the approved content; `always`: when the content changed. Default: `never`.",
    ),
  awaitApproval: flag()
    .optional()
    .describe(
      "`true`: an update waits for a missing approval. Default: it fails and prints the command that approves.",
    ),
  timeoutSeconds: count("a whole number of seconds from 1 to 86400", 86_400)
    .optional()
    .describe("Seconds until all objects must be ready. Default: 600."),
  reconcileSeconds: count("a whole number of seconds from 60 to 604800", 604_800, 60)
    .optional()
    .describe(
      "Interval at which the provisioning service restores objects that differ from what was applied last. Default: it never does.",
    ),
};

export const bundleClassesSchema = z
  .record(
    name(),
    strict("an object", {
      format: oneOf(FORMAT_NAMES as readonly [string, ...string[]])
        .default("plain+v0")
        .describe("Format of the content."),
      sources: listOf(oneOf(SOURCE_TYPES), "types of sources")
        .min(1, { error: "at least one type of source" })
        .default([...SOURCE_TYPES])
        .describe("Types of sources that are allowed. Default: all."),
      pin: oneOf(["required", "optional"])
        .default("optional")
        .describe("`required`: every version must have a digest."),
      default: flag().default(false).describe("`true`: the class of bundles without `class`."),
      defaults: strict("an object", defaults)
        .default({})
        .describe("Defaults for instances that do not set these fields."),
    }),
    { error: "an object of classes by name" },
  )
  .default({})
  .describe("Classes of bundles by name. Default: one, of format `plain+v0`.");

const values = (of: string) =>
  z
    .record(z.string(), z.unknown(), { error: "an object of values" })
    .optional()
    .describe(`Values of ${of}, for a format that takes them, such as those of a Helm chart. Default: none.`);

const request = matching(/^[a-z0-9-]+(@\S.*)?$/, "a bundle, or a bundle and a range such as database@^2.1");

const version = strict("an object with sources", {
  sources: listOf(source, "sources")
    .min(1, { error: "at least one source" })
    .describe("Sources of the content. The files of several sources are combined."),
  digest: matching(SHA256, "sha256: and 64 of 0-9 and a-f")
    .optional()
    .describe("Digest of the content, as `stackyard bundle inspect` prints it. Other content is an error."),
  values: values("every instance of it"),
  bundles: list(request, "bundles").describe(
    "Bundles that are applied together with this one, with a version range: `database@^2.1`.",
  ),
  requires: list(
    matching(
      /^([a-z0-9-]+(@\S.*)?|([a-z0-9.-]+\/)?v\w+\/[A-Z]\w*)$/,
      "a bundle such as database@^2.1, or a kind such as monitoring.coreos.com/v1/ServiceMonitor",
    ),
    "bundles and kinds",
  ).describe("What the cluster must have first: bundles with a version range, or kinds as `apiVersion/Kind`."),
});

export const bundlesSchema = z
  .record(
    name(),
    strict("an object with versions", {
      class: name().optional().describe("Bundle class. Default: the default class."),
      versions: z
        .record(
          checkedText(VERSION, (text) => (isVersion(text) ? undefined : ""), VERSIONS),
          version,
          { error: "an object of versions" },
        )
        .refine((versions) => Object.keys(versions).length > 0, { error: "at least one version" })
        .refine((versions) => areVersions(Object.keys(versions)), { error: "either versions, or one range" })
        .describe("The content of each version, or of a range of versions in a catalog."),
    }),
    { error: "an object of bundles by name" },
  )
  .default({})
  .describe("Bundles of manifests by name; `instances` defines which of them run where.");

export const instancesSchema = z
  .record(
    name(),
    strict("an object with bundle", {
      bundle: name().describe("The bundle."),
      version: matching(SEMVER, "a version such as 1.4.0")
        .optional()
        .describe("Version of the bundle. Default: the highest released version."),
      values: values("its bundle, laid over those of the version"),
      enabled: flag().default(true).describe("`false` removes it."),
      namespace: matching(NAMESPACE, LEGAL)
        .optional()
        .describe("Namespace of objects without a namespace. Default: the instance's name."),
      // A kubeconfig that somebody writes here instead of its path is not shown.
      kubeconfig: concealed(strict("path", { path: matching(/\S/, "the path of a kubeconfig").describe("File.") }))
        .optional()
        .describe("A cluster other than the platform's."),
      context: matching(/\S/, "the name of a context")
        .optional()
        .describe("Context of that kubeconfig. Default: its current context."),
      as: matching(/\S/, "a user, or system:serviceaccount:<namespace>:<name>")
        .optional()
        .describe("User or service account to impersonate. Default: the user who runs Pulumi."),
      adopt: list(matching(/\S/, "apiVersion/Kind/namespace/name"), "objects").describe(
        "Existing objects to take over: `apps/v1/Deployment/shop/web`, `apps/v1/Deployment/shop/*`, `from helm`, `v1/*/shop/* from kubectl`, `from bundle shop/web`.",
      ),
      replace: list(matching(/\S/, "apiVersion/Kind/namespace/name or apiVersion/Kind"), "objects").describe(
        "Objects or kinds to delete and recreate if they can't be changed in place: `batch/v1/Job`.",
      ),
      allowDeletion: list(oneOf(GUARDED), "kinds").describe(
        "Kinds that contain other objects and may be deleted with them: `CustomResourceDefinition`, `Namespace`.",
      ),
      allowCrdChanges: list(
        matching(/^([a-z0-9.-]+\/)?[a-zA-Z-]+$/, "the name of a check, or <CRD>/<check>"),
        "checks",
      ).describe(
        "CRD upgrade checks that may fail, named as `stackyard bundle verify` prints them: `fieldRemoved`, or `widgets.example.com/fieldRemoved` for one CRD only.",
      ),
      dependsOn: list(name(), "instances").describe("Instances that are applied before this one."),
      ...defaults,
    }),
    { error: "an object of instances by name" },
  )
  .default({})
  .describe("Instances of bundles that the platform applies, by instance name.");

export type ClassesInput = z.output<typeof bundleClassesSchema>;
export type BundlesInput = z.output<typeof bundlesSchema>;
export type InstancesInput = z.output<typeof instancesSchema>;
