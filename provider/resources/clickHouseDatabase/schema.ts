/** What the package schema says of a ClickHouseDatabase. */

import { count, flag, secret, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A database and its user on a ClickHouse server that many share.",
  inputs: {
    url: secret("URL of the server's HTTP interface with a user who may make databases and users; a secret."),
    runtimeUrl: text("URL without user by which runtimes reach the server. Default: the one above."),
    cluster: text("Cluster of several servers on which everything is made. Default: none, one server."),
    database: { ...text("Name of the database; can't change."), class: { exposed: true } },
    user: { ...text("Name of its user; can't change."), class: { exposed: true } },
    owner: text("Whose it is, for people; noted on the database."),
    sources: {
      type: "array",
      items: { type: "string" },
      description: "Rights to read from elsewhere: URL, REMOTE, MONGO, MYSQL, POSTGRES, S3, AZURE. Default: all.",
    },
    access: flag("False removes the user and keeps the database. Default: true."),
    passwordVersion: text("Another text makes another password. Default: 1."),
    whenDeleted: text(
      "`Delete` or `Retain`: what becomes of the database when the resource is deleted. Default: Delete.",
    ),
    adopt: text(
      "Id that a database has in its comment: creating takes it over. Afterwards it does nothing. Default: it is made.",
    ),
    adoptPassword: secret("Password that the user of that database has; a secret. Default: it gets another one."),
    provisioner: text("Provisioner that it is with; noted on the database."),
  },
  required: ["url", "database", "user", "owner"],
  outputs: {
    host: text("Host of the server, as runtimes reach it."),
    port: count("Port of the HTTP interface."),
    secure: flag("Whether it is HTTPS."),
    password: { ...secret("A secret. Undefined without access."), class: { always: true } },
  },
  optional: ["password"],
} satisfies ResourceSchema;
