import { refOf, type KubeObject, textAt } from "../../kubernetes/objects/objects";
import type { AdoptedDatabase } from "../../components/runtime/clickhouse/adopted";
import { connect } from "../../kubernetes/connect/connect";

import { Failure } from "../../foundation/errors";
import type { DeploymentChange } from "../stack/change";
import { PASSWORD_ANNOTATION } from "../../components/runtime/clickhouse/restart";
import type { DatabaseOrphan, Orphan, SetOrphan } from "../orphans/orphan";

const PATIENCE_MS = 5_000;

/** The existing parts of a deployment's database, and the request that matches them. */
interface FoundDatabase {
  readonly adopted: AdoptedDatabase;
  readonly resources: NonNullable<DeploymentChange["resources"]>;
}

/** Finds the database, with the password from its Secret. Undefined if there are no parts. */
export async function foundDatabase(
  id: string,
  parts: readonly (SetOrphan | DatabaseOrphan)[],
  runtime: Orphan,
): Promise<FoundDatabase | undefined> {
  const [first] = parts;
  if (first === undefined) return undefined;
  const provisioners = [...new Set(parts.map(({ provisioner }) => provisioner))];
  if (provisioners.length > 1) {
    throw new Failure(
      `${id} has databases with several ClickHouse provisioners, and a deployment has one: ${provisioners.join(", ")}. ` +
        `Remove what is not needed: stackyard runtime remove-orphan ${id} --provisioner NAME`,
    );
  }
  const sets = parts.filter((part) => part.type === "kubernetes");
  const database = parts.find((part) => part.type === "clickhouse");
  const password = await passwordIn(sets);
  const passwordVersion = await versionIn(runtime.type === "kubernetes" ? [runtime, ...sets] : sets);
  return {
    adopted: {
      sets: Object.fromEntries(sets.map(({ set, owner }) => [set, owner])),
      ...(database && { instance: database.noted.instance, database: database.noted.database }),
      ...(password !== undefined && { password }),
    },
    resources: { clickhouse: { provisioner: first.provisioner, ...passwordVersion } },
  };
}

async function passwordIn(sets: readonly SetOrphan[]): Promise<string | undefined> {
  for (const secret of await liveIn(sets, ["Secret"])) {
    const encoded = textAt(secret, "data", "password");
    if (encoded !== undefined) return Buffer.from(encoded, "base64").toString();
  }
  return undefined;
}

/** Reads the password's version from the pods; empty for the first version. */
async function versionIn(sets: readonly SetOrphan[]): Promise<{ readonly passwordVersion?: number }> {
  for (const workload of await liveIn(sets, ["StatefulSet", "Deployment"])) {
    const version = textAt(workload, "spec", "template", "metadata", "annotations", PASSWORD_ANNOTATION);
    const [, own] = /\.(\d+)$/.exec(version ?? "") ?? [];
    if (own !== undefined) return own === "1" ? {} : { passwordVersion: Number(own) };
  }
  return {};
}

async function liveIn(sets: readonly SetOrphan[], kinds: readonly string[]): Promise<KubeObject[]> {
  const found = sets.flatMap(({ way, objects }) => {
    const client = connect(way.kubeconfig, way.context, { patienceMs: PATIENCE_MS });
    const refs = objects.map(refOf).filter(({ kind }) => kinds.includes(kind));
    return refs.map((ref) => client.get(ref));
  });
  return (await Promise.all(found)).filter((object) => object !== undefined);
}
