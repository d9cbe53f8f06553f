import type { JupyterHubSettings } from "./settings";

/**
 * Python code that shows users the profiles of their groups only, by its name in the chart's `hub.extraConfig`; empty if all
 * are for everybody. KubeSpawner looks a chosen profile up in the same list, so that nobody can ask for another. With an
 * empty list, it would start a notebook without any profile. Pure.
 */
export function profileScript(profiles: JupyterHubSettings["profiles"]): Readonly<Record<string, string>> {
  const restricted = Object.entries(profiles).filter(([, { allowedGroups }]) => allowedGroups.length > 0);
  if (restricted.length === 0) return {};
  const groups = Object.fromEntries(restricted.map(([slug, { allowedGroups }]) => [slug, allowedGroups]));
  const script = `from tornado import web


def stackyard_profiles(profiles, allowed_groups):
    def is_for(groups, allowed):
        return allowed is None or not groups.isdisjoint(allowed)

    def of(spawner):
        groups = {group.name for group in spawner.user.groups}
        usable = [each for each in profiles if is_for(groups, allowed_groups.get(each.get("slug")))]
        if not usable:
            raise web.HTTPError(403, "None of the profiles is for your groups.")
        return usable

    return of


c.KubeSpawner.profile_list = stackyard_profiles(c.KubeSpawner.profile_list, ${JSON.stringify(groups)})
`;
  return { "stackyard-profiles": script };
}
