export interface ExportedResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly custom?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly delete?: boolean;
  readonly initErrors?: readonly string[];
}
