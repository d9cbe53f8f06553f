/** Arguments of the original's API, as its clients write them into a query. */

export const KYMA = `{
  version: "2.20.0"
  profile: Production
  components: [
    { component: "compass-runtime-agent", namespace: "compass-system", configuration: [{ key: "a.b", value: "c" }] }
    { component: "istio", namespace: "istio-system", sourceURL: "https://example.com/istio", conflictStrategy: Replace }
  ]
  configuration: [{ key: "global.password", value: "hidden-password", secret: true }]
  conflictStrategy: Merge
}`;

export const GCP = `gcpConfig: { zones: ["europe-west3-a", "europe-west3-b"] }`;

/** Fields of a cluster that every request has. */
const COMMON = `
  kubernetesVersion: "1.33.4"
  targetSecret: "acme-account"
  region: "europe-west3"
  machineType: "n2-standard-4"
  workerCidr: "10.250.0.0/16"
  autoScalerMin: 2
  autoScalerMax: 4
  maxSurge: 4
  maxUnavailable: 1
`;

export const clusterWith = (fields: string, provider = GCP): string =>
  `{ ${COMMON} ${fields} providerSpecificConfig: { ${provider} } }`;

export const provisioningOf = (cluster: string, more = ""): string =>
  `{ runtimeInput: { name: "acme", description: "of a test", labels: { team: ["a", 1] } } clusterConfig: { gardenerConfig: ${cluster} } ${more} }`;

export const PROVISIONING = provisioningOf(clusterWith('name: "acme" provider: "gcp"'), `kymaConfig: ${KYMA}`);

export const UPGRADE = `{ kymaConfig: ${KYMA} }`;

export const SHOOT_UPGRADE = `{ gardenerConfig: { kubernetesVersion: "1.33.5", autoScalerMax: 6 } }`;
