import { z } from "zod";
import { SOURCES } from "../../clickhouse/settings";
import { count, flag, matching, oneOf, PROVISIONER_NAME, strict } from "../fields";

/** The key `clickhouse`: how deployments get a ClickHouse database. */

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

export const clickhouseSchema = z
  .record(
    matching(PROVISIONER_NAME, NAME),
    strict("an object with type and spec", {
      type: z
        .literal("static", { error: "static" })
        .describe("A server that is there; each deployment gets a database and a user on it."),
      default: flag()
        .default(false)
        .describe("`true`: for deployments that name none. Needed where there are several."),
      spec: strict("an object with url", {
        url: url(ADMIN, /^/).meta({
          writeOnly: true,
          description:
            "URL of the HTTP interface with a user who may make databases and users; a secret. Default ports: 8123, 8443 with https.",
        }),
        runtimeUrl: url(PLAIN, /^$/)
          .optional()
          .describe("URL by which runtimes reach it, without user. Default: the one above."),
        cluster: matching(/^[\w.-]{1,100}$/, "the name of a cluster")
          .optional()
          .describe(
            "Cluster of several servers (`system.clusters`): every statement runs `ON CLUSTER`. Default: none.",
          ),
        prefix: matching(
          /^[a-z][a-z0-9_]{0,20}$/,
          "a beginning of a-z, 0-9 and _, a letter first, 21 characters at most",
        )
          .default("rill_")
          .describe(
            "Beginning of the names of databases and users. Platforms that share a server and have deployments of the same ids each need their own. Databases that are there keep their names.",
          ),
        sources: z
          .array(oneOf(SOURCES), { error: "a list of sources" })
          .default([...SOURCES])
          .describe("What a database's user may read from besides it."),
        passwordVersion: count("a whole number from 1")
          .default(1)
          .describe("Another number gives each deployment another password at its next update."),
        databaseWhenDeleted: oneOf(["Retain", "Delete"])
          .default("Delete")
          .describe("What becomes of a database when its deployment is destroyed. Nothing else ever drops one."),
      }).describe("The server."),
    }),
    { error: "an object of ClickHouse provisioners by name" },
  )
  .default({})
  .describe("How deployments get a ClickHouse database, by name.");

export type ClickHouseInput = z.output<typeof clickhouseSchema>;
