import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from "graphql";

const TEXTS = [
  "acme-1",
  "other-1",
  "018f0000-0000-7000-8000-000000000001",
  "",
  " ",
  "a".repeat(300),
  "\u0000",
  "%_\\",
  "'; drop table deployment; --",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "\ud800",
  "😀",
  "{{ .Secrets }}",
  "organization/stackyard/dev",
  "1.0",
  "dev",
];
const INTS = ["0", "1", "-1", "2147483647", "-2147483648", "500", "501"];
const FLOATS = ["0", "1.5", "-3", "1e300", "1e-9"];
/** What no type takes, for one argument in some. */
const WRONG = ["null", "true", "[]", "{}", "1e400", "99999999999999999999", "$x", "ENUM"];

/** One random request that a client of this schema might send, or might send by mistake. */
export function randomQuery(schema: GraphQLSchema, next: () => number, depth = 4): string {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!;
  const roots = [
    ["query", schema.getQueryType()],
    ["mutation", schema.getMutationType()],
  ] as const;
  const [kind, root] = pick(roots);

  const value = (type: GraphQLInputType): string => {
    if (next() < 0.03) return pick(WRONG);
    if (isNonNullType(type)) return value(type.ofType);
    if (next() < 0.05) return "null";
    if (isListType(type))
      return `[${Array.from({ length: Math.floor(next() * 3) }, () => value(type.ofType)).join(", ")}]`;
    if (isEnumType(type)) return pick(type.getValues()).name;
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || next() < 0.5);
      return `{ ${fields.map((field) => `${field.name}: ${value(field.type)}`).join(", ")} }`;
    }
    switch (type.name) {
      case "Int":
        return pick(INTS);
      case "Float":
        return pick(FLOATS);
      case "Boolean":
        return pick(["true", "false"]);
      case "Labels":
        return pick(['{ a: ["b", 1] }', "{}", '{ __proto__: "x" }', '"text"']);
      case "Annotations":
        return pick(['{ a: "b" }', "{}", "{ a: 1 }", '{ __proto__: "x" }', '"text"']);
      case "Period":
        return pick(['"7d"', '"1h30m"', '"0m"', '"soon"', "{ a: 1 }", "7"]);
      default:
        return JSON.stringify(pick(TEXTS));
    }
  };

  const args = (of: readonly GraphQLArgument[]): string => {
    const given = of.filter(
      ({ type, defaultValue }) => (isNonNullType(type) && defaultValue === undefined) || next() < 0.4,
    );
    if (given.length === 0 || next() < 0.02) return "";
    return `(${given.map(({ name, type }) => `${name}: ${value(type)}`).join(", ")})`;
  };

  const selection = (type: GraphQLObjectType, left: number): string => {
    const all = Object.values(type.getFields());
    const simple = all.filter((field) => !isUnionType(getNamedType(field.type)));
    const fields = simple.filter((field) => left > 0 || !isObjectType(getNamedType(field.type)));
    const chosen = fields.filter(() => next() < 0.35);
    const texts = (chosen.length > 0 ? chosen : fields.slice(0, 1)).map((field) => {
      const inner = getNamedType(field.type);
      return `${field.name}${args(field.args)}${isObjectType(inner) ? ` ${selection(inner, left - 1)}` : ""}`;
    });
    return `{ ${texts.length > 0 ? texts.join(" ") : "__typename"} }`;
  };

  const field = pick(Object.values(root?.getFields() ?? {}));
  const inner = getNamedType(field.type);
  return `${kind} { ${field.name}${args(field.args)} ${isObjectType(inner) ? selection(inner, depth) : ""} }`;
}
