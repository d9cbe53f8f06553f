/**
 * Simulates the HTTP interface of a ClickHouse server for databases, users and permissions; all other SQL is rejected
 * as a syntax error. ON CLUSTER has one server to run on. It was compared with:
 *
 * - ClickHouse 26.9 as a library (chDB 26.9.2). It executes statements about databases, DROP USER of missing users, and
 *   what a tenant may do with our permissions, which gave the codes and texts of rejections. It checks CREATE and ALTER
 *   USER, GRANT, REVOKE and DROP USER, but refuses to store them, because it has no users; ON CLUSTER it only parses.
 * - The HTTP interface of a server of version 18.16: POST, Basic authentication, `wait_end_of_query`, FORMAT JSON,
 *   statuses.
 *
 * Not compared: users that are really stored, and clusters.
 */

import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface User {
  hash: string;
  defaultDatabase?: string;
  /** Such as `SELECT ON db`; `ALL` permits everything. */
  readonly rights: Set<string>;
}

class Refusal extends Error {
  constructor(
    readonly code: number,
    readonly label: string,
    words: string,
  ) {
    super(words);
  }
}

const STATUS: Readonly<Record<string, number>> = {
  AUTHENTICATION_FAILED: 403,
  SYNTAX_ERROR: 400,
  UNKNOWN_TABLE: 404,
  UNKNOWN_DATABASE: 404,
};
const SYNTAX = (statement: string): Refusal =>
  new Refusal(62, "SYNTAX_ERROR", `Syntax error: failed at position 1 (${statement.split(" ")[0] ?? ""}).`);
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const NAME = "`([^`]+)`";
const ON = "(?: ON CLUSTER `([^`]+)`)?";
const TEXT = "'((?:[^'\\\\]|\\\\.)*)'";
const HASH = "IDENTIFIED WITH sha256_hash BY '([0-9a-f]+)'";
const unquoted = (text: string): string => text.replace(/\\(.)/g, "$1");

type Run = (user: User, name: string, groups: readonly string[]) => object[] | undefined;

export class ClickHouseDouble {
  readonly databases = new Map<string, { comment: string; readonly tables: Set<string> }>([
    ["default", { comment: "", tables: new Set() }],
  ]);
  readonly users = new Map<string, User>([["admin", { hash: sha256("s3cret"), rights: new Set(["ALL"]) }]]);
  /** Every received statement with its sender. */
  readonly log: string[] = [];
  clusters = ["main"];
  /** Number of further requests to answer with 503. */
  away = 0;
  /** Statements that are executed without a response, and the number of those that are waiting. */
  unanswered: RegExp | undefined;
  waiting = 0;
  /** Statements that are always rejected for missing permissions. */
  refused: RegExp | undefined;
  /** Called before each statement, to simulate concurrent changes. */
  before: (statement: string) => void = () => undefined;
  #server: Server | undefined;

  async start(): Promise<this> {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const [, basic = ""] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? [];
        const [, user = "", key = ""] = /^([^:]*):([^]*)$/.exec(Buffer.from(basic, "base64").toString()) ?? [];
        const statement = Buffer.concat(chunks).toString();
        const isAsked = request.method === "POST" && request.url === "/?wait_end_of_query=1";
        const { status, text } = isAsked
          ? this.#answer(user, key, statement)
          : { status: 404, text: "There is no handle" };
        if (this.unanswered?.test(statement)) this.waiting += 1;
        else response.writeHead(status).end(text);
      });
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, "127.0.0.1", resolve));
    return this;
  }

  url(user = "admin", password = "s3cret"): string {
    return `http://${user}:${password}@127.0.0.1:${(this.#server?.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  #answer(name: string, password: string, statement: string): { status: number; text: string } {
    if (this.away > 0) {
      this.away -= 1;
      return { status: 503, text: "away" };
    }
    this.before(statement);
    this.log.push(`${name}: ${statement}`);
    try {
      const user = this.users.get(name);
      if (user?.hash !== sha256(password)) {
        throw new Refusal(
          516,
          "AUTHENTICATION_FAILED",
          `${name}: Authentication failed: password is incorrect, or there is no user with such name.`,
        );
      }
      if (this.refused?.test(statement)) throw new Refusal(497, "ACCESS_DENIED", `${name}: Not enough privileges.`);
      for (const [pattern, run] of this.#statements) {
        const match = pattern.exec(statement);
        if (!match) continue;
        const rows = run(user, name, match.slice(1));
        return { status: 200, text: rows === undefined ? "" : JSON.stringify({ data: rows, rows: rows.length }) };
      }
      throw SYNTAX(statement);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const text = `Code: ${error.code}. DB::Exception: ${error.message} (${error.label}) (version 26.9.2.1 (official build))\n`;
      return { status: STATUS[error.label] ?? 500, text };
    }
  }

  #need(user: User, name: string, right: string, on: string, option = ""): void {
    if (user.rights.has("ALL") || user.rights.has(`${right} ON ${on}${option}`)) return;
    const words = `${name}: Not enough privileges. To execute this query, it's necessary to have the grant ${right} ON ${on}${option}.`;
    throw new Refusal(497, "ACCESS_DENIED", words);
  }

  #sees = ({ rights }: User, database: string): boolean =>
    rights.has("ALL") || [...rights].some((right) => right.endsWith(` ON ${database}.*`));

  #cluster(cluster: string | undefined): void {
    if (cluster !== undefined && !this.clusters.includes(cluster))
      throw new Refusal(701, "CLUSTER_DOESNT_EXIST", `Requested cluster '${cluster}' not found.`);
  }

  #grantee(name: string): User {
    const user = this.users.get(name);
    if (!user) throw new Refusal(511, "UNKNOWN_ROLE", `There is no role \`${name}\` in \`user directories\`.`);
    return user;
  }

  readonly #statements: readonly (readonly [RegExp, Run])[] = [
    [/^SELECT 1$/, () => [{ "1": 1 }]],
    [
      new RegExp(`^SELECT name, comment FROM system\\.databases WHERE name IN \\(${TEXT}, ${TEXT}\\) FORMAT JSON$`),
      (user, _name, names) =>
        names.map(unquoted).flatMap((name) => {
          const found = this.databases.get(name);
          return found && this.#sees(user, name) ? [{ name, comment: found.comment }] : [];
        }),
    ],
    [
      /^SELECT name, comment FROM system\.databases WHERE comment LIKE '\{"stackyard":%' ORDER BY name FORMAT JSON$/,
      (user) =>
        [...this.databases]
          .filter(([name, { comment }]) => this.#sees(user, name) && comment.startsWith('{"stackyard":'))
          .map(([name, { comment }]) => ({ name, comment }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
    ],
    [
      new RegExp(`^SELECT name FROM system\\.users WHERE name = ${TEXT} FORMAT JSON$`),
      (user, name, [wanted = ""]) => {
        this.#need(user, name, "SHOW USERS", "*.*");
        return this.users.has(unquoted(wanted)) ? [{ name: wanted }] : [];
      },
    ],
    [
      new RegExp(`^CREATE DATABASE (IF NOT EXISTS )?${NAME}${ON} COMMENT ${TEXT}$`),
      (user, name, [isIdempotent, database = "", cluster, comment = ""]) => {
        this.#need(user, name, "CREATE DATABASE", `${database}.*`);
        this.#cluster(cluster);
        if (this.databases.has(database) && isIdempotent === undefined)
          throw new Refusal(82, "DATABASE_ALREADY_EXISTS", `Database ${database} already exists.`);
        if (!this.databases.has(database))
          this.databases.set(database, { comment: unquoted(comment), tables: new Set() });
        return undefined;
      },
    ],
    [
      new RegExp(`^CREATE USER IF NOT EXISTS ${NAME}${ON} ${HASH} DEFAULT DATABASE ${NAME} GRANTEES NONE$`),
      (user, name, [wanted = "", cluster, hash = "", defaultDatabase = ""]) => {
        this.#need(user, name, "CREATE USER", wanted);
        this.#cluster(cluster);
        if (!this.users.has(wanted))
          this.users.set(wanted, { hash: checked(hash), defaultDatabase, rights: new Set() });
        return undefined;
      },
    ],
    [
      new RegExp(`^ALTER USER ${NAME}${ON} ${HASH}$`),
      (user, name, [wanted = "", cluster, hash = ""]) => {
        this.#need(user, name, "ALTER USER", wanted);
        this.#cluster(cluster);
        const found = this.users.get(wanted);
        if (!found) throw new Refusal(192, "UNKNOWN_USER", `There is no user \`${wanted}\` in \`user directories\`.`);
        found.hash = checked(hash);
        return undefined;
      },
    ],
    [
      new RegExp(`^(GRANT|REVOKE)${ON} ([A-Za-z0-9, ]+) ON (?:${NAME}|\\*)\\.\\* (?:TO|FROM) ${NAME}$`),
      (user, name, [verb, cluster, list = "", database, grantee = ""]) => {
        const rights = list.split(", ");
        if (!rights.every((right) => RIGHTS.has(right))) throw SYNTAX(list);
        const on = `${database ?? "*"}.*`;
        for (const right of rights) this.#need(user, name, right, on, " WITH GRANT OPTION");
        this.#cluster(cluster);
        const { rights: has } = this.#grantee(grantee);
        for (const right of rights) {
          if (verb === "GRANT") has.add(`${right} ON ${on}`);
          else has.delete(`${right} ON ${on}`);
        }
        return undefined;
      },
    ],
    [
      new RegExp(`^GRANT${ON} SELECT ON system\\.parts TO ${NAME}$`),
      (user, name, [cluster, grantee = ""]) => {
        this.#need(user, name, "SELECT", "system.parts", " WITH GRANT OPTION");
        this.#cluster(cluster);
        this.#grantee(grantee).rights.add("SELECT ON system.parts");
        return undefined;
      },
    ],
    [
      new RegExp(`^DROP DATABASE IF EXISTS ${NAME}${ON} SYNC$`),
      (user, name, [database = "", cluster]) => {
        this.#need(user, name, "DROP DATABASE", `${database}.*`);
        this.#cluster(cluster);
        this.databases.delete(database);
        return undefined;
      },
    ],
    [
      new RegExp(`^DROP USER IF EXISTS ${NAME}${ON}$`),
      (user, name, [wanted = "", cluster]) => {
        this.#need(user, name, "DROP USER", wanted);
        this.#cluster(cluster);
        this.users.delete(wanted);
        return undefined;
      },
    ],
    [
      new RegExp(`^ALTER DATABASE ${NAME}${ON} MODIFY COMMENT ${TEXT}$`),
      (user, name, [database = "", cluster, comment = ""]) => {
        this.#need(user, name, "ALTER MODIFY DATABASE COMMENT", `${database}.*`);
        this.#cluster(cluster);
        this.#database(database).comment = unquoted(comment);
        return undefined;
      },
    ],
    // Statements of a tenant.
    [
      /^CREATE TABLE (\w+)\.(\w+) /,
      (user, name, [database = "", table = ""]) => {
        this.#need(user, name, "CREATE TABLE", `${database}.*`);
        this.#database(database).tables.add(table);
        return undefined;
      },
    ],
    [
      /^SELECT \* FROM (\w+)\.(\w+)$/,
      (user, name, [database = "", table = ""]) => {
        this.#need(user, name, "SELECT", `${database}.*`);
        if (!this.#database(database).tables.has(table))
          throw new Refusal(60, "UNKNOWN_TABLE", `Unknown table expression identifier '${database}.${table}'.`);
        return [];
      },
    ],
  ];

  #database(name: string) {
    const found = this.databases.get(name);
    if (!found) throw new Refusal(81, "UNKNOWN_DATABASE", `Database ${name} does not exist.`);
    return found;
  }
}

function checked(hash: string): string {
  if (hash.length === 64) return hash;
  const words = `Password hash for the 'SHA256_PASSWORD' authentication type has length ${hash.length / 2} but must be exactly 32 bytes.`;
  throw new Refusal(36, "BAD_ARGUMENTS", words);
}

const RIGHTS = new Set(
  "SELECT,INSERT,ALTER TABLE,ALTER VIEW,CREATE TABLE,CREATE DICTIONARY,CREATE VIEW,DROP TABLE,DROP DICTIONARY,DROP VIEW,TRUNCATE,OPTIMIZE,SHOW DICTIONARIES,dictGet,CLUSTER,URL,REMOTE,MONGO,MYSQL,POSTGRES,S3,AZURE".split(
    ",",
  ),
);
