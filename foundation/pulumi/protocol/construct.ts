/** The SDK's server of components. */

export { main as serveSdk, type ConstructResult } from "@pulumi/pulumi/provider";
