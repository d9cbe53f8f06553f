/** Type tokens of our provider's resources, for code that searches a state for them. Does not load the SDK. */

export const MANIFEST_SET = "stackyard:index:ManifestSet";
export const BUNDLE_RELEASE = "stackyard:index:BundleRelease";
export const SLOT_ALLOCATION = "stackyard:index:SlotAllocation";
export const CLICKHOUSE_DATABASE = "stackyard:index:ClickHouseDatabase";
export const SHOOT = "stackyard:index:Shoot";
export const DIRECTOR_RUNTIME = "stackyard:index:DirectorRuntime";
export const KYMA_INSTALLATION = "stackyard:index:KymaInstallation";
export const KYMA_MODULES = "stackyard:index:KymaModules";
export const RUNTIME_AGENT = "stackyard:index:RuntimeAgent";
export const STATIC_POOL = "stackyard:index:StaticPool";
export const PROVISIONER_REGISTRATION = "stackyard:index:ProvisionerRegistration";
/** Of the Kubernetes provider. */
export const HELM_RELEASE = "kubernetes:helm.sh/v3:Release";
