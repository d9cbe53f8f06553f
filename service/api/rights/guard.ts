import type { GraphQLFieldResolver } from "graphql";
import { type CallerOfAny } from "../auth/identity";
import type { ApiContext } from "../context";
import type { MutationResolvers, QueryResolvers } from "../schema.types";
import { authorize } from "./rights";

type Field<Args, Result> = (args: Args, caller: CallerOfAny, context: ApiContext) => Result;
type RootFields = Required<QueryResolvers> & Required<MutationResolvers>;
type ArgsOf<Resolver> = Parameters<Extract<Resolver, (...given: never[]) => unknown>>[1];

/** Root fields by name, with the arguments that the schema gives them. */
export type Fields = { readonly [Name in keyof RootFields]?: Field<ArgsOf<RootFields[Name]>, unknown> };

type Identify = (context: ApiContext) => CallerOfAny;

const byToken: Identify = (context) => context.caller();

/** Wraps a root field: authenticates and authorizes the caller before the resolver runs. */
export function guarded<Args, Result>(
  name: string,
  field: Field<Args, Result>,
  isChange = false,
  identify: Identify = byToken,
) {
  return async (_parent: unknown, args: Args, context: ApiContext): Promise<Awaited<Result>> => {
    const caller = identify(context);
    try {
      authorize(caller, name);
    } catch (error) {
      const { id = "", names = [id] } = args as { readonly id?: string; readonly names?: readonly string[] };
      if (isChange) await context.backend.refused(caller, name, names.join(" "));
      throw error;
    }
    return await field(args, caller, context);
  };
}

/** Wraps all fields of a root type. */
export function guardedFields<Given extends Fields>(fields: Given, areChanges = false, identify: Identify = byToken) {
  const all = Object.entries(fields as Readonly<Record<string, Field<never, unknown>>>);
  const entries = all.map(([name, field]) => [name, guarded(name, field, areChanges, identify)]);
  return Object.fromEntries(entries) as { [Name in keyof Given]: GraphQLFieldResolver<unknown, ApiContext> };
}

/** The tenant whose data the caller may read; undefined for all tenants. */
export const tenantOf = ({ tenant, allTenants }: CallerOfAny): string | undefined => (allTenants ? undefined : tenant);
