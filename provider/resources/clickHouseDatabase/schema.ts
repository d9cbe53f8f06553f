/** What the package schema says of a ClickHouseDatabase. */

import { count, flag, secret, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A database and its user on a ClickHouse server that many share.",
  inputs: {
    url: secret("URL of a ClickHouse server's HTTP interface, with a user who may make databases and users."),
    runtimeUrl: text("URL without user for runtimes to reach the server. Optional; default: url."),
    cluster: text("Cluster of several servers, for ON CLUSTER. Optional; default: one server."),
    database: text("Name of the database; can't change."),
    user: text("Name of its user; can't change."),
    owner: text("Owner, for people; recorded in the comment of the database."),
    sources: { type: "array", items: { type: "string" }, description: "Rights to read from elsewhere. Default: all." },
    access: flag("False removes the user and keeps the database. Default: true."),
    passwordVersion: text("Another text makes another password. Default: 1."),
    whenDeleted: text("Delete or Retain: what becomes of the database when the resource is deleted. Default: Delete."),
    adopt: text("Id that a database has in its comment: creating takes it over. Afterwards it does nothing."),
    adoptPassword: secret("Present password of the user of that database. Optional; default: a new one."),
    provisioner: text("Provisioner that it is with; noted on the database."),
  },
  required: ["url", "database", "user", "owner"],
  outputs: {
    host: text("Host of the server, as runtimes reach it."),
    port: count("Port of its HTTP interface."),
    secure: flag("Whether that is HTTPS."),
    password: secret("Password of the user."),
  },
  optional: ["password"],
} satisfies ResourceSchema;
