import * as z from "zod";
import { isEndpoint } from "../../../foundation/net/givenAddress";
import {
  checkedText,
  count,
  flag,
  matching,
  NAMESPACE,
  oneOf,
  strict,
  listOf,
} from "../../../foundation/schema/fields";
import { concealed } from "../../../foundation/schema/secretValues";
import { sectionSchema } from "./sections";

/** Schema of Teraslice's connections by type and name. Fields have the names that their connectors document. */

const SECRET = "a reference {secret, key} to a key of a Secret, because ConfigMaps hold no secrets";
const secretKey = () =>
  // A password that somebody writes here instead of a reference is not shown.
  concealed(
    strict(SECRET, {
      secret: matching(NAMESPACE, "a legal name: a-z, 0-9 and inner -, 63 characters at most").describe(
        "Name of an existing Secret in the namespace.",
      ),
      key: matching(/^[\w.-]+$/, "a key of a Secret").describe("Key in that Secret."),
    }),
  );

const milliseconds = () => count("a whole number of milliseconds from 1", 100_000_000);
const searchUrl = () => checkedText(URL_EXPECTED, checkNode, /^https?:\/\/[^\s@]+$/);
const certificate = () =>
  matching(/^-----BEGIN CERTIFICATE-----/, "a certificate that begins with -----BEGIN CERTIFICATE-----");
const path = () => matching(/^\/\S*$/, "an absolute path");

const checkNode = (text: string): string | undefined => {
  if (!/^https?:\/\/[^\s/]+/.test(text) || !URL.canParse(text)) return "";
  const { username, password } = new URL(text);
  return username + password === "" ? undefined : "user and password belong into username and password";
};
const URL_EXPECTED = "a URL without user and password, such as https://opensearch.search.svc:9200";

const search = sectionSchema("an object with node", {
  node: z
    .preprocess(
      // Teraslice accepts a single URL as a string.
      (value) => (typeof value === "string" ? [value] : value),
      listOf(searchUrl(), "URLs").min(1, { error: "at least one URL" }),
    )
    .describe("URLs of Elasticsearch or OpenSearch. A single URL may be a string."),
  username: matching(/\S/, "a text").optional().describe("User name. Default: no authentication."),
  password: secretKey().optional().describe("Password of the user."),
  caCertificate: certificate().optional().describe("Trusted CA certificates, as PEM. Default: those of the image."),
  sniffOnStart: flag().default(false).describe("`true`: discover all nodes at start."),
  sniffOnConnectionFault: flag().default(false).describe("`true`: discover all nodes after a connection fault."),
  requestTimeout: milliseconds().default(120_000).describe("Request timeout in milliseconds."),
  maxRetries: count("a whole number from 1").default(3).describe("Maximum number of retries of a request."),
  suggestCompression: flag().default(false).describe("`true`: request compressed responses."),
  pingTimeout: milliseconds().optional().describe("Ping timeout in milliseconds. Default: the client's."),
  sniffInterval: z
    .union([milliseconds(), z.literal(false)], { error: "milliseconds, or false" })
    .optional()
    .describe("Interval between two discoveries of nodes, in milliseconds. Default: the client's."),
  sniffEndpoint: matching(/\S/, "a path")
    .optional()
    .describe("Endpoint for the discovery of nodes. Default: the client's."),
  auth: sectionSchema("an object with username and password", {
    username: matching(/\S/, "a text").describe("User name."),
    password: secretKey().describe("Password of the user."),
  })
    .optional()
    .describe("User name and password, instead of `username` and `password`."),
});

/** `pattern`: for editors; the check is stricter. */
const endpoint = (expected: string, pattern: RegExp) =>
  checkedText(expected, (text) => (pattern.test(text) && isEndpoint(text) ? undefined : ""), pattern);
const hostPort = (expected: string) => endpoint(expected, /^(https?:\/\/)?[A-Za-z0-9.-]+(:\d{1,5})?\/?$/);

const s3 = sectionSchema("an object with endpoint", {
  endpoint: hostPort("a host or a URL such as https://s3.eu-central-1.amazonaws.com").describe(
    "URL of S3, with `https` unless `sslEnabled` is `false`.",
  ),
  accessKeyId: secretKey().describe("Access key id."),
  secretAccessKey: secretKey().describe("Secret access key."),
  region: matching(/^[a-z0-9-]+$/, "a region")
    .default("us-east-1")
    .describe("Region."),
  maxRetries: count("a whole number from 1").default(3).describe("Maximum number of retries of a request."),
  sslEnabled: flag().default(true).describe("`true`: use HTTPS."),
  caCertificate: certificate().optional().describe("Trusted CA certificates, as PEM. Default: those of the image."),
  certLocation: path().optional().describe("File with CA certificates, for older masters."),
  forcePathStyle: flag().default(false).describe("`true`: put the bucket into the path instead of the host name."),
  bucketEndpoint: flag().default(false).describe("`true`: the endpoint is the one of a single bucket."),
});

const kafka = sectionSchema("an object with brokers", {
  brokers: listOf(endpoint("a broker such as kafka-0.kafka.svc:9092", /^[A-Za-z0-9.-]+:\d{1,5}$/), "brokers")
    .min(1, { error: "at least one broker" })
    .describe("Brokers, as host and port."),
  security_protocol: oneOf(["plaintext", "ssl"])
    .default("plaintext")
    .describe("Protocol for the connection to brokers."),
  caCertificate: certificate().optional().describe("Trusted CA certificates, as PEM."),
  ssl_ca_location: path().optional().describe("File with CA certificates, instead of `caCertificate`."),
  ssl_certificate_location: path().optional().describe("File with the client's certificate."),
  ssl_crl_location: path().optional().describe("File with revoked certificates (CRL)."),
  ssl_key_location: path().optional().describe("File with the client's key."),
  ssl_key_password: secretKey().optional().describe("Password of the client's key."),
});

const connections = <Schema extends z.ZodType>(schema: Schema, of: string) =>
  z.record(matching(/^[A-Za-z][\w-]{0,62}$/, "a name of A-Z a-z 0-9 _ -, a letter first"), schema, {
    error: `an object of ${of} connections by name`,
  });

/** Connections of other types, with connectors that this schema does not know. Only their secrets are checked. */
const other = connections(z.record(z.string(), z.unknown(), { error: "an object" }), "such");

export const connectorsSchema = z
  .object(
    {
      "elasticsearch-next": connections(search, "Elasticsearch or OpenSearch").describe(
        "Elasticsearch and OpenSearch connections by name. The master stores its state in `settings.state.connection`; default: `default`.",
      ),
      s3: connections(s3, "S3").default({}).describe("S3 connections by name."),
      kafka: connections(kafka, "Kafka").default({}).describe("Kafka connections by name."),
    },
    { error: "an object of connections by type" },
  )
  .catchall(other);

/** Known keys of connections, by type. */
export const CONNECTION_KEYS: Readonly<Record<string, readonly string[]>> = {
  "elasticsearch-next": Object.keys(search.shape),
  s3: Object.keys(s3.shape),
  kafka: Object.keys(kafka.shape),
};
