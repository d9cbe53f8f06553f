import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/cluster";
import { component } from "../../resources/package";
import { TerasliceJob } from "../../resources/jobs/terasliceJob";
import { clusterNames } from "../podConfig/names";
import type { TerasliceSettings } from "../settings";
import { footprint, footprintText } from "./footprint/footprint";
import { jobOwner, withOwner } from "./owner";
import { submitted, type TerasliceJobSettings } from "./settings";

interface TerasliceJobsArgs {
  /** The cluster of the master. */
  readonly cluster: Cluster;
  /** Settings of the master. Plain, because jobs are checked against them. */
  readonly settings: TerasliceSettings;
  /** Plain, because each is a resource. */
  readonly jobs: readonly TerasliceJobSettings[];
  /** The master's resource. Jobs are created after it and deleted before it. */
  readonly master: pulumi.Resource;
}

/** The resource's default timeout for the master's responses. */
const RESPONSE_MS = 300_000;

/** Placeholder for an id that the master has not assigned yet. */
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** The jobs of a Teraslice master. Each is a separate resource, so changing one does not affect the others. */
export class TerasliceJobs extends pulumi.ComponentResource {
  /** Ids that the master assigned, by key in the config. */
  public readonly ids: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: TerasliceJobsArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("TerasliceJobs"), name, {}, opts);
    const { cluster, settings } = args;
    const { namespace, master } = clusterNames(settings);
    const { port, api_response_timeout: responseMs } = settings.teraslice;
    const patience = responseMs === RESPONSE_MS ? {} : { responseSeconds: Math.ceil(responseMs / 1000) };
    const place = { ...cluster.access, namespace, service: master, port, ...patience };
    const ids = args.jobs.map((each) => {
      const owner = jobOwner(pulumi.getStack(), each.key);
      const job = withOwner(each.job, owner);
      const body = submitted(job, settings);
      const objects = footprintText(footprint(job, settings, { jobId: NO_ID, exId: NO_ID }));
      const { jobId } = new TerasliceJob(
        `${name}/${each.key}`,
        {
          ...place,
          owner,
          job: each.secret ? pulumi.secret(body) : body,
          state: each.state,
          assets: [...each.assets],
          footprint: each.secret ? pulumi.secret(objects) : objects,
        },
        { parent: this, dependsOn: [args.master] },
      );
      return [each.key, jobId] as const;
    });
    this.ids = pulumi.output(Object.fromEntries(ids));
    this.registerOutputs({ ids: this.ids });
  }
}
