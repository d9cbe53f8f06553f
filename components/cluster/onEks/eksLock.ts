import { parseLockFile, record, renderLockFile, type LockRead } from "../../../foundation/lockFile";

/** Default path of the lock file, relative to the project folder. */
export const EKS_LOCK_FILE = "eks.lock.yaml";

/** Versions by Kubernetes minor version and name. */
type Versions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Fixed versions for each Kubernetes minor version. */
export interface EksLock {
  /** Versions by add-on. */
  readonly addons: Versions;
  /** Releases of node images by AMI type, as for a node group. */
  readonly images: Versions;
}

export const NO_LOCK: EksLock = { addons: {}, images: {} };

const HEAD = `# Versions of EKS add-ons and releases of node images for each Kubernetes minor, recorded by \`stackyard eks lock\`.
`;

/** Version of an add-on or release of an image. */
export const EKS_VERSION = /^v?\d[\w.+-]{0,99}$/;
const MINOR = /^1\.\d{2}$/;

export const parseEksLock = (text: string): LockRead<EksLock> => parseLockFile(text, readVersions);

function readVersions(document: Record<string, unknown> | undefined): LockRead<EksLock> {
  if (document === undefined) return { trouble: "no object with addons and images" };
  const { addons = {}, images = {} } = document;
  for (const [section, byMinor] of Object.entries({ addons, images })) {
    for (const [minor, versions] of Object.entries(record(byMinor) ?? { "": undefined })) {
      if (!MINOR.test(minor) || record(versions) === undefined) {
        return { trouble: `no object of Kubernetes minors under ${section}` };
      }
      for (const [name, version] of Object.entries(record(versions)!)) {
        if (typeof version !== "string" || !EKS_VERSION.test(version)) {
          return { trouble: `no version of ${name} under ${section}.${minor} (a text)` };
        }
      }
    }
  }
  return { lock: { addons: addons as Versions, images: images as Versions } };
}

export function renderEksLock({ addons, images }: EksLock): string {
  return renderLockFile(HEAD, { addons: sorted(addons), images: sorted(images) });
}

/** Returns the lock with these versions of one minor version. Keeps the others, which another stack may use. */
export function withVersions(lock: EksLock, minor: string, more: { addons: Named; images: Named }): EksLock {
  const laid = (versions: Versions, over: Named): Versions =>
    Object.keys(over).length === 0 ? versions : { ...versions, [minor]: { ...versions[minor], ...over } };
  return { addons: laid(lock.addons, more.addons), images: laid(lock.images, more.images) };
}

type Named = Readonly<Record<string, string>>;

const byKey = <T>(all: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));

const sorted = (versions: Versions): Versions =>
  Object.fromEntries(byKey(versions).map(([minor, named]) => [minor, Object.fromEntries(byKey(named))]));
