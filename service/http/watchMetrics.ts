import { Gauge, type Registry } from "prom-client";
import type { Database } from "../database/database";

/** Metrics of the periodic checks, read from the database that all processes share. */
export function watchMetrics(database: Database, registry: Registry): void {
  const registers = [registry];
  const ofProvisioner = ["platform", "provisioner"];
  const capacity = () => database.selectFrom("capacity").selectAll().execute();
  new Gauge({
    name: "stackyard_provisioner_slots_used",
    help: "Slots that are taken of a provisioner.",
    labelNames: ofProvisioner,
    registers,
    async collect() {
      this.reset();
      for (const { platform, provisioner, slotsUsed } of await capacity())
        this.set({ platform, provisioner }, slotsUsed);
    },
  });
  new Gauge({
    name: "stackyard_provisioner_slots_total",
    help: "Slots of a provisioner that has a fixed number.",
    labelNames: ofProvisioner,
    registers,
    async collect() {
      this.reset();
      for (const { platform, provisioner, slotsTotal } of await capacity()) {
        if (slotsTotal !== null) this.set({ platform, provisioner }, slotsTotal);
      }
    },
  });
  new Gauge({
    name: "stackyard_provisioner_capacity_level",
    help: "Percent that a provisioner has reached: 80 of all its slots, 70 on every host, or 0.",
    labelNames: ofProvisioner,
    registers,
    async collect() {
      this.reset();
      for (const { platform, provisioner, level } of await capacity()) this.set({ platform, provisioner }, level);
    },
  });
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
