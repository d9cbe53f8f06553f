import * as z from "zod";
import { SOURCES } from "../../runtime/clickhouse/settings";
import {
  checkedText,
  checkImage,
  count,
  flag,
  matching,
  NAMESPACE,
  oneOf,
  PROVISIONER_NAME,
  strict,
  listOf,
  list,
} from "../../../foundation/schema/fields";
import { secret } from "../../../foundation/schema/secretValues";
import { hasNoPassword } from "../../../foundation/schema/urls";
import { context, file, kubeconfig } from "../../cluster/access/kubeconfigSchema";

/** Schema of the key `clickhouse`. */

const NAME = "a legal name: a-z, 0-9 and inner -, 40 characters at most";
const ADMIN = "the URL of an HTTP interface, such as https://admin:password@ch.example.com:8443";
const PLAIN = "an http or https URL of host and port, such as https://ch.internal:8443";

const url = (expected: string, credentials: RegExp) =>
  z.string({ error: expected }).refine(
    (text) => {
      if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text)) return false;
      const { pathname, search, hash, username } = new URL(text);
      return pathname === "/" && search === "" && hash === "" && credentials.test(username);
    },
    { error: expected },
  );

const isDefault = flag()
  .default(false)
  .describe("`true`: the default for deployments that name no provisioner. Required if there are several.");
const prefix = matching(
  /^[a-z][a-z0-9_]{0,20}$/,
  "a beginning of a-z, 0-9 and _, a letter first, 21 characters at most",
).default("rill_");
const passwordVersion = count("a whole number from 1")
  .default(1)
  .describe("Increase it to give each deployment a new password at its next update.");

const staticClickHouse = strict("an object", {
  type: z.literal("static").describe("An existing server; each deployment gets a database and a user on it."),
  default: isDefault,
  spec: strict("an object with url", {
    url: secret(url(ADMIN, /^/), { mayBePlain: hasNoPassword }).describe(
      "URL of the HTTP interface with a user who may make databases and users; a secret. Default ports: 8123, 8443 with https.",
    ),
    runtimeUrl: url(PLAIN, /^$/).optional().describe("URL that runtimes use, without a user. Default: `url`."),
    runtimeWriterUrl: url(PLAIN, /^$/)
      .optional()
      .describe("URL that runtimes write to, without a user, where `runtimeUrl` only serves reads. Default: none."),
    cluster: matching(/^[\w.-]{1,100}$/, "the name of a cluster")
      .optional()
      .describe(
        "Name of a ClickHouse cluster (`system.clusters`); every statement then runs `ON CLUSTER`. Default: none.",
      ),
    prefix: prefix.describe(
      "Prefix of the names of databases and users. Platforms that share a server and have deployments with the same ids need different prefixes. Existing databases keep their names.",
    ),
    sources: listOf(oneOf(SOURCES), "sources")
      .default([...SOURCES])
      .describe("Additional table sources that a database's user may read from."),
    passwordVersion,
    databaseWhenDeleted: oneOf(["Retain", "Delete"])
      .default("Delete")
      .describe("Whether destroying a deployment drops or keeps its database. Nothing else drops a database."),
  }).describe("The server."),
});

const template = () => file("a template").optional();

const templates = strict("an object of template files", {
  statefulset: template().describe(
    "The servers, with their disks in a claim template. Not together with `deployment`.",
  ),
  deployment: template().describe("The server, with its disk from `pvc`. Not together with `statefulset`."),
  pvc: template().describe("The PersistentVolumeClaim of the disk, for `deployment`."),
  configMap: template().describe("Configuration files of the servers."),
  service: template().describe("The service. Runtimes use its port named `http` or `https`."),
  helpers: list(file("a helper file"), "helper files").describe(
    "Files that contain only `{{ define }}` blocks for the templates.",
  ),
});

const templatedClickHouse = strict("an object", {
  type: z
    .literal("kubernetes")
    .describe("Each deployment gets its own ClickHouse cluster in Kubernetes, created from your templates."),
  default: isDefault,
  spec: strict("an object with namespace, version and templates", {
    kubeconfig: kubeconfig.optional().describe("A cluster other than the platform's."),
    context,
    namespace: matching(NAMESPACE, "a legal name: a-z, 0-9 and inner -, 63 characters at most").describe(
      "Existing namespace of the clusters, such as the one of a provisioner with `createNamespace`.",
    ),
    image: checkedText("an image without tag, such as example/clickhouse", checkImage, /^[^@:]+(:[0-9]+\/[^@:]+)?$/)
      .default("clickhouse/clickhouse-server")
      .describe("Image without tag."),
    version: matching(
      /^(?!latest$)[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/,
      'an image tag in quotes, such as "26.8"',
    ).describe("Tag of the image; not `latest`."),
    timeoutSeconds: count("a whole number of seconds from 1 to 86400", 86_400)
      .default(300)
      .describe("Seconds until a cluster must be ready."),
    runtimeUrl: url(PLAIN, /^$/)
      .optional()
      .describe("URL that runtimes use. Every `*` is replaced with the provision id. Default: the URL of its service."),
    templates: templates.describe("Go templates of the objects, paths relative to the project folder."),
    claimsWhenDeleted: oneOf(["Retain", "Delete"])
      .optional()
      .describe("Whether destroying a deployment deletes or keeps its disks. Default: the setting of the templates."),
    prefix: prefix.describe("Prefix of the names of the database and its user."),
    passwordVersion,
  }).describe("Templates of clusters."),
});

export const clickhouseSchema = z
  .record(
    matching(PROVISIONER_NAME, NAME),
    z.discriminatedUnion("type", [staticClickHouse, templatedClickHouse], { error: "static or kubernetes" }),
    { error: "an object of ClickHouse provisioners by name" },
  )
  .default({})
  .describe("ClickHouse provisioners by name: how deployments get a database.");

export type ClickHouseInput = z.output<typeof clickhouseSchema>;
export type TemplatedInput = z.output<typeof templatedClickHouse>;
