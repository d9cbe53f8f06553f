import { Gauge, type Registry } from "prom-client";
import type { Database } from "../database/database";

/** Metrics of each provisioner, with their columns in the table of capacities. */
const OF_PROVISIONERS = [
  ["stackyard_provisioner_slots_used", "Slots that are taken of a provisioner.", "slotsUsed"],
  ["stackyard_provisioner_slots_total", "Slots of a provisioner that has a fixed number.", "slotsTotal"],
  [
    "stackyard_provisioner_capacity_level",
    "Percent that a provisioner has reached: 80 of all its slots, 70 on every host, or 0.",
    "level",
  ],
] as const;

/** Metrics of the periodic checks, read from the database that all processes share. */
export function watchMetrics(database: Database, registry: Registry): void {
  const registers = [registry];
  for (const [name, help, column] of OF_PROVISIONERS) {
    new Gauge({
      name,
      help,
      labelNames: ["platform", "provisioner"],
      registers,
      async collect() {
        this.reset();
        for (const row of await database.selectFrom("capacity").selectAll().execute()) {
          const { platform, provisioner, [column]: value } = row;
          if (value !== null) this.set({ platform, provisioner }, value);
        }
      },
    });
  }
  new Gauge({
    name: "stackyard_runtimes",
    help: "Runtimes in clusters by health.",
    labelNames: ["health"],
    registers,
    async collect() {
      const rows = await database
        .selectFrom("health")
        .innerJoin("deployment", "deployment.id", "health.deploymentId")
        .select(["health.state"])
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .where("deployment.deletedAt", "is", null)
        .groupBy("health.state")
        .execute();
      this.reset();
      for (const { state, count } of rows) this.set({ health: state }, Number(count));
    },
  });
  new Gauge({
    name: "stackyard_bundles",
    help: "Bundles of platforms that are reconciled, by what the last look found.",
    labelNames: ["platform", "standing"],
    registers,
    async collect() {
      const rows = await database
        .selectFrom("bundle")
        .select(["platform", "standing"])
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .where("standing", "is not", null)
        .groupBy(["platform", "standing"])
        .execute();
      this.reset();
      for (const { platform, standing, count } of rows) this.set({ platform, standing: standing ?? "" }, Number(count));
    },
  });
  new Gauge({
    name: "stackyard_bundle_objects_restored",
    help: "Objects of a bundle that were restored since its reconciliation was enabled.",
    labelNames: ["platform", "bundle"],
    registers,
    async collect() {
      this.reset();
      for (const { platform, name, repairs } of await database.selectFrom("bundle").selectAll().execute()) {
        this.set({ platform, bundle: name }, repairs);
      }
    },
  });
  new Gauge({
    name: "stackyard_deployments_drifted",
    help: "Deployments that differed from their cluster when they were compared last.",
    registers,
    async collect() {
      const { count } = await database
        .selectFrom("drift")
        .innerJoin("deployment", "deployment.id", "drift.deploymentId")
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .where("deployment.deletedAt", "is", null)
        .where("drift.changes", "is not", null)
        .executeTakeFirstOrThrow();
      this.set(Number(count));
    },
  });
}
