import { at, textOr } from "../../foundation/json/parts";
import { wholeFinding, type Finding, type Rule } from "../rule";

/** Types with a flag that assigns a public address. */
const PUBLIC_FLAG: Readonly<Record<string, string>> = {
  "aws:rds/instance:Instance": "publiclyAccessible",
  "aws:rds/clusterInstance:ClusterInstance": "publiclyAccessible",
  "aws:rds/cluster:Cluster": "publiclyAccessible",
  "aws:docdb/clusterInstance:ClusterInstance": "publiclyAccessible",
  "aws:neptune/clusterInstance:ClusterInstance": "publiclyAccessible",
  "aws:redshift/cluster:Cluster": "publiclyAccessible",
  "aws:redshiftserverless/workgroup:Workgroup": "publiclyAccessible",
  "aws:dms/replicationInstance:ReplicationInstance": "publiclyAccessible",
  "aws:mq/broker:Broker": "publiclyAccessible",
};

const ACL = /^(public-read|public-read-write|authenticated-read)$/;
const BLOCKS = ["blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"];

export const exposure: Rule = {
  name: "not-public",
  description: "Databases and buckets are not reachable from the internet.",
  check({ type, props }): Finding[] {
    const flag = PUBLIC_FLAG[type];
    if (flag !== undefined) {
      return at(props, flag) === true
        ? wholeFinding(`found ${flag}: true; expected false, and a way through the network`)
        : [];
    }
    if (/^aws:s3\/bucket(V2|Acl|AclV2)?:/.test(type)) {
      const acl = textOr(props["acl"], "");
      return ACL.test(acl) ? wholeFinding(`found acl: ${acl}; expected private`) : [];
    }
    if (!/^aws:s3\/(bucket|account)PublicAccessBlock:/.test(type)) return [];
    const open = BLOCKS.filter((key) => props[key] !== true);
    return open.length === 0 ? [] : wholeFinding(`found no ${open.join(", no ")}; expected all four to be true`);
  },
};
