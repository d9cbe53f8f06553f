import { getNodeValue, type Node } from "jsonc-parser";
import type { Path } from "../../../foundation/schema/faults";
import { didYouMean } from "../../../foundation/text/nearest";
import { importClickHouse } from "./clickhouse";
import { KUBERNETES_FIELDS, RETIRED, RUNTIME_FIELDS, TEMPLATE_FIELDS, TYPES, type FieldTable } from "./fields";
import { legalName } from "./names";
import { members, type Member } from "./tree";

interface Remark {
  readonly node: Node;
  readonly message: string;
}

type Fields = Record<string, unknown>;

/** Converts a provisioner set, records the origin of each part, and notes what could not be converted. */
export class Converter {
  readonly notes: Remark[] = [];
  /** Provisioners of databases, which have their own key. */
  readonly clickhouse: Record<string, object> = {};
  readonly faults: Remark[] = [];
  private readonly origins = new Map<string, Node>();
  /** New names of converted provisioners by original name. */
  private readonly names = new Map<string, string>();
  private readonly skipped = new Set<string>();

  /** Returns the source node of the value at `path` in the new config, or of its nearest parent. */
  nodeAt(path: Path): Node | undefined {
    for (let length = path.length; length > 0; length -= 1) {
      const node = this.origins.get(JSON.stringify(path.slice(0, length)));
      if (node !== undefined) return node;
    }
    return undefined;
  }

  set(root: Node): Record<string, Fields> {
    const entries = this.unique(members(root));
    // Valid names are reserved first; other names are derived without conflicting with them.
    const taken = new Set(entries.map(({ key }) => key).filter((key) => legalName(key, new Set()) === key));
    const result: Record<string, Fields> = {};
    for (const { key, at, value } of entries) {
      const name = taken.has(key) ? key : legalName(key, taken);
      taken.add(name);
      const path = ["provisioners", name];
      this.origins.set(JSON.stringify(path), at);
      const converted = this.provisioner(key, at, value, path);
      if (converted === undefined) continue;
      if (name !== key)
        this.note(
          at,
          `provisioner ${JSON.stringify(key)} is renamed to ${name}: names are a-z, 0-9 and inner -, 40 characters at most`,
        );
      this.names.set(key, name);
      result[name] = converted;
    }
    if (Object.keys(result).length === 0)
      this.fault(root, "found no provisioner that can be carried over; expected at least one");
    return result;
  }

  /** Returns the new name of the default provisioner. */
  chooseDefault(root: Node, wanted: string | undefined): string | undefined {
    const [only] = this.names.values();
    if (wanted === undefined || wanted === "") {
      if (this.names.size === 1) {
        this.note(root, `no default provisioner was given; ${only ?? ""}, the only one, is it`);
        return only;
      }
      this.note(
        root,
        "no default provisioner was given (RILL_ADMIN_DEFAULT_PROVISIONER of the original); set stackyard:defaultProvisioner",
      );
      return undefined;
    }
    const name = this.names.get(wanted);
    if (name === undefined) {
      const why = this.skipped.has(wanted) ? "which was skipped" : "which is not in the set";
      const hint = didYouMean(wanted, [...this.names.keys()]);
      this.fault(
        root,
        `found default provisioner ${JSON.stringify(wanted)}, ${why}; expected one of ${[...this.names.keys()].join(", ")}${hint === undefined ? "" : `; ${hint}`}`,
      );
    }
    return name;
  }

  private provisioner(key: string, at: Node, node: Node, path: Path): Fields | undefined {
    const known = this.take(node, { type: "type", spec: "spec" }, path);
    const type = known.get("type")?.value;
    const spec = known.get("spec");
    if (type?.value === "clickhouse-static") {
      // It provides databases, not runtimes, so it can't be the default.
      this.skipped.add(key);
      const name = String(path.at(-1));
      const { entry, notes } = importClickHouse(name, at, members(spec?.value));
      this.notes.push(...notes);
      if (entry) this.clickhouse[name] = entry;
      return undefined;
    }
    if (type?.value === "static") return { type: "static", spec: this.staticSpec(spec?.value, [...path, "spec"]) };
    if (type?.value === "kubernetes")
      return { type: "kubernetes", spec: this.kubernetesSpec(spec, at, [...path, "spec"]) };
    const hint = didYouMean(type?.value, TYPES);
    const found = type === undefined ? "nothing" : JSON.stringify(getNodeValue(type));
    this.fault(
      type ?? at,
      `found type ${found}; expected one of ${TYPES.join(", ")}${hint === undefined ? "" : `; ${hint}`}`,
    );
    return undefined;
  }

  private staticSpec(node: Node | undefined, path: Path): Fields {
    const runtimes = this.take(node, { runtimes: "runtimes" }, path).get("runtimes")?.value;
    if (runtimes?.type !== "array")
      return runtimes === undefined ? {} : { runtimes: getNodeValue(runtimes) as unknown };
    const result: unknown[] = [];
    for (const entry of runtimes.children ?? []) {
      const place = [...path, "runtimes", result.length];
      this.origins.set(JSON.stringify(place), entry);
      if (entry.type !== "object") {
        result.push(getNodeValue(entry) as unknown);
        continue;
      }
      const fields = this.plain(entry, RUNTIME_FIELDS, place);
      if (fields["slots"] === 0 || fields["slots"] === undefined) {
        this.note(entry, `host ${JSON.stringify(fields["host"])} is skipped: without slots it never gets a deployment`);
        continue;
      }
      this.canonicalHost(fields, [...place, "host"]);
      if (fields["audienceUrl"] === "") delete fields["audienceUrl"];
      result.push(fields);
    }
    return { runtimes: result };
  }

  private kubernetesSpec(spec: Member | undefined, at: Node, path: Path): Fields {
    const fields = this.plain(spec?.value, KUBERNETES_FIELDS, path);
    const templates = this.nodeAtExactly([...path, "templates"]);
    if (templates?.type === "object") {
      fields["templates"] = this.plain(templates, TEMPLATE_FIELDS, [...path, "templates"]);
      this.note(
        templates,
        "template paths are relative to the folder of Pulumi.yaml; put the files there or change the paths",
      );
    }
    const kubeconfig = fields["kubeconfig"];
    if (kubeconfig === undefined || kubeconfig === "") {
      fields["kubeconfig"] = { inCluster: true };
      this.note(
        spec?.at ?? at,
        "without kubeconfig_path it is the cluster that the program itself runs in; for the platform's cluster write cluster: platform instead of kubeconfig",
      );
    } else {
      fields["kubeconfig"] = { path: kubeconfig };
    }
    if (fields["timeoutSeconds"] === 0) {
      delete fields["timeoutSeconds"];
      this.note(
        this.nodeAt([...path, "timeoutSeconds"]) ?? at,
        "timeout_seconds 0 gave up at once; it is the default of 300 seconds now",
      );
    }
    return fields;
  }

  /** The known fields of an object under their new names. */
  private plain(node: Node | undefined, table: FieldTable, path: Path): Fields {
    const known = this.take(node, table, path);
    return Object.fromEntries([...known].map(([name, { value }]) => [name, getNodeValue(value) as unknown]));
  }

  /** Removes a trailing slash: in the original it made no difference, but here a host is identified by its URL. */
  private canonicalHost(fields: Fields, path: Path): void {
    const host = fields["host"];
    if (typeof host !== "string" || !/^https?:\/\/\S+$/i.test(host) || !URL.canParse(host)) return;
    const url = new URL(host);
    if (url.origin === host || url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "")
      return;
    fields["host"] = url.origin;
    this.note(
      this.nodeAt(path) as Node,
      `host ${host} is written as ${url.origin}: a host is identified by scheme, name and port`,
    );
    fields["audienceUrl"] ??= host;
  }

  private nodeAtExactly(path: Path): Node | undefined {
    return this.origins.get(JSON.stringify(path));
  }

  /** Members by new name. As in the original, keys are case-insensitive and the last duplicate wins. */
  private take(node: Node | undefined, table: FieldTable, path: Path): Map<string, Member> {
    const known = new Map<string, Member>();
    const names = Object.keys(table);
    for (const member of this.unique(members(node))) {
      const original = names.find((name) => name.toLowerCase() === member.key.toLowerCase());
      const name = original === undefined ? undefined : table[original];
      if (name === undefined) {
        this.unknown(member, names);
        continue;
      }
      known.set(name, member);
      this.origins.set(JSON.stringify([...path, name]), member.value);
    }
    return known;
  }

  private unknown({ key, at }: Member, names: readonly string[]): void {
    const retired = Object.hasOwn(RETIRED, key) ? RETIRED[key] : undefined;
    const hint = didYouMean(key, names);
    const why = retired ?? `it is unknown, in the original too${hint === undefined ? "" : `; ${hint}`}`;
    this.note(at, `key ${key} is skipped: ${why}`);
  }

  private unique(all: readonly Member[]): Member[] {
    const last = new Map(all.map((member) => [member.key, member]));
    for (const member of all) {
      if (last.get(member.key) !== member) this.note(member.at, `key ${member.key} is duplicate; the last one counts`);
    }
    return [...last.values()];
  }

  private note(node: Node, message: string): void {
    this.notes.push({ node, message });
  }

  private fault(node: Node, message: string): void {
    this.faults.push({ node, message });
  }
}
