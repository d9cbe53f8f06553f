import { count, positive, strict } from "../../../foundation/schema/fields";
import { helmValues, readySeconds } from "../../charts/config/helm";

/** Schema of the key `karpenter`. */
export const karpenterSchema = strict("an object with replicas, cpu, memoryMb, timeoutSeconds, values", {
  replicas: count("a whole number from 1 to 5", 5)
    .default(2)
    .describe("Number of pods; one of them is the leader. Each needs its own node."),
  cpu: positive("a number of CPUs above 0", 64).default(0.5).describe("CPU request of each pod, in CPUs."),
  memoryMb: count("a whole number of MB from 64", 65_536).default(1024).describe("Memory request and limit, in MB."),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
});
