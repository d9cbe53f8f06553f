/** Package schema of ClickHouseDatabase. */

import { countField, flagField, generation, secret, textField, textsField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A database and its user on a shared ClickHouse server.",
  inputs: {
    url: secret("URL of the server's HTTP interface, with a user that may create databases and users; a secret."),
    runtimeUrl: textField("URL that runtimes use, without a user. Default: `url`."),
    runtimeWriterUrl: textField(
      "URL that runtimes write to, without a user, if it differs. It is only recorded. Default: none.",
    ),
    cluster: textField("Name of the ClickHouse cluster to create everything on. Default: none; a single server."),
    database: { ...textField("Name of the database. It can't change."), class: { exposed: true } },
    user: { ...textField("Name of its user. It can't change."), class: { exposed: true } },
    owner: textField("Owner of the database, shown to users; recorded in the database's comment."),
    sources: textsField(
      "Table sources that the user may read from: URL, REMOTE, MONGO, MYSQL, POSTGRES, S3, AZURE. Default: all.",
    ),
    access: flagField("`false`: remove the user and keep the database. Default: true."),
    passwordVersion: textField("Change it to create a new password. Default: 1."),
    whenDeleted: textField(
      "`Delete` or `Retain`: whether deleting the resource drops or keeps the database. Default: Delete.",
    ),
    adopt: textField(
      "Id in the comment of an existing database to take over on creation. It has no effect afterwards. Default: create the database.",
    ),
    adoptPassword: secret("Current password of that database's user; a secret. Default: a new password."),
    provisioner: textField("Provisioner of the database; recorded in the database's comment."),
  },
  required: ["url", "database", "user", "owner"],
  outputs: {
    host: textField("Host of the server, as runtimes reach it."),
    port: countField("Port of the HTTP interface."),
    secure: flagField("`true`: the interface uses HTTPS."),
    password: { ...secret("Password of the user; a secret. Undefined without `access`."), class: { always: true } },
    generation,
  },
  optional: ["password", "generation"],
} as const satisfies ResourceSchema;
