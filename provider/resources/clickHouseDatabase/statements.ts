/** SQL statements that create a database and its user on a shared ClickHouse server. Pure. */

import { createHash } from "node:crypto";

/** Names that a statement refers to. */
export interface StatementNames {
  readonly database: string;
  readonly user: string;
  /** Cluster of servers on which every statement runs; undefined for a single server. */
  readonly cluster?: string;
}

/** Permissions in its own database: all except creating another one, and ALTER DATABASE, which could overwrite the recorded owner. */
const OWN_RIGHTS = [
  "SELECT",
  "INSERT",
  "ALTER TABLE",
  "ALTER VIEW",
  "CREATE TABLE",
  "CREATE DICTIONARY",
  "CREATE VIEW",
  "DROP TABLE",
  "DROP DICTIONARY",
  "DROP VIEW",
  "TRUNCATE",
  "OPTIMIZE",
  "SHOW DICTIONARIES",
  "dictGet",
];

/** Sources that the user can read from only if they are granted. */
export const SOURCES = ["URL", "REMOTE", "MONGO", "MYSQL", "POSTGRES", "S3", "AZURE"];

/** Names of databases and users. The pattern makes quoting unnecessary, but names are quoted anyway. */
export const NAME = /^[a-z][a-z0-9_]{0,62}$/;

const name = (text: string): string => `\`${text.replace(/[\\`]/g, "\\$&")}\``;
const literal = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
const on = (cluster: string | undefined): string => (cluster === undefined ? "" : ` ON CLUSTER ${name(cluster)}`);

/**
 * Passwords are sent as a hash, so that they don't appear in the server's logs. They are random, so no salt is needed.
 */
const identified = (password: string): string =>
  `IDENTIFIED WITH sha256_hash BY ${literal(createHash("sha256").update(password).digest("hex"))}`;

export const createDatabase = ({ database, cluster }: StatementNames, comment: string): string =>
  `CREATE DATABASE IF NOT EXISTS ${name(database)}${on(cluster)} COMMENT ${literal(comment)}`;

/** Updates the comment of a database. */
export const noteDatabase = ({ database, cluster }: StatementNames, comment: string): string =>
  `ALTER DATABASE ${name(database)}${on(cluster)} MODIFY COMMENT ${literal(comment)}`;

/** An empty database beside it. Without IF NOT EXISTS, only one process can create it. */
export const createLock = ({ database, cluster }: StatementNames, comment: string): string =>
  `CREATE DATABASE ${name(lockOf(database))}${on(cluster)} COMMENT ${literal(comment)}`;

export const dropLock = ({ database, cluster }: StatementNames): string =>
  `DROP DATABASE IF EXISTS ${name(lockOf(database))}${on(cluster)} SYNC`;

/** No database of a deployment has such a name, see {@link NAME}. */
export const lockOf = (database: string): string => `${database}-lock`;

/** The user can't grant its permissions to others. */
export const createUser = ({ database, user, cluster }: StatementNames, password: string): string =>
  `CREATE USER IF NOT EXISTS ${name(user)}${on(cluster)} ${identified(password)} DEFAULT DATABASE ${name(database)} GRANTEES NONE`;

export const setPassword = ({ user, cluster }: StatementNames, password: string): string =>
  `ALTER USER ${name(user)}${on(cluster)} ${identified(password)}`;

export const grantOwn = ({ database, user, cluster }: StatementNames): string =>
  `GRANT${on(cluster)} ${OWN_RIGHTS.join(", ")} ON ${name(database)}.* TO ${name(user)}`;

/**
 * Grants what the user needs outside of its database: to read the sizes of its own tables, of which the server shows it
 * no others, and to name the cluster in its own statements, which servers require by default.
 */
export const grantShared = ({ user, cluster }: StatementNames): string[] => [
  `GRANT${on(cluster)} SELECT ON system.parts TO ${name(user)}`,
  ...(cluster === undefined ? [] : [`GRANT${on(cluster)} CLUSTER ON *.* TO ${name(user)}`]),
];

/** Revokes sources that are no longer listed, and grants the others. */
export const grantSources = ({ user, cluster }: StatementNames, sources: readonly string[]): string[] => {
  const others = SOURCES.filter((source) => !sources.includes(source));
  return [
    ...(others.length > 0 ? [`REVOKE${on(cluster)} ${others.join(", ")} ON *.* FROM ${name(user)}`] : []),
    ...(sources.length > 0 ? [`GRANT${on(cluster)} ${sources.join(", ")} ON *.* TO ${name(user)}`] : []),
  ];
};

export const dropDatabase = ({ database, cluster }: StatementNames): string =>
  `DROP DATABASE IF EXISTS ${name(database)}${on(cluster)} SYNC`;

export const dropUser = ({ user, cluster }: StatementNames): string =>
  `DROP USER IF EXISTS ${name(user)}${on(cluster)}`;

/** The database and its lock. */
export const commentsOf = (database: string): string =>
  `SELECT name, comment FROM system.databases WHERE name IN (${literal(database)}, ${literal(lockOf(database))}) FORMAT JSON`;

/** Lists all databases whose comment records an owner; see note.ts. */
export const NOTED_DATABASES =
  "SELECT name, comment FROM system.databases WHERE comment LIKE '{\"stackyard\":%' ORDER BY name FORMAT JSON";

export const findUser = (user: string): string =>
  `SELECT name FROM system.users WHERE name = ${literal(user)} FORMAT JSON`;
