-- Up Migration

-- The clusters that deployments name: each belongs to one deployment of all tenants. A trigger keeps the table, so that no
-- statement can forget it. Where deployments share a cluster already, the first one keeps the name.
create table cluster_name (
  platform text not null,
  provisioner text not null,
  name text not null,
  deployment_id text not null unique references deployment (id) on delete cascade,
  primary key (platform, provisioner, name)
);

-- Null for a deployment that is deleted or names no cluster.
create function cluster_name_of(config jsonb, deleted timestamptz) returns text[] language sql immutable as $$
  select case when deleted is null and config #>> '{deployment,cluster,name}' is not null then array[
    coalesce(config ->> 'platform', ''),
    coalesce(config #>> '{deployment,provisioner}', ''),
    config #>> '{deployment,cluster,name}'
  ] end
$$;

insert into cluster_name (platform, provisioner, name, deployment_id)
select key[1], key[2], key[3], id
from (select id, created_at, cluster_name_of(desired_config, deleted_at) as key from deployment) named
where key is not null
order by created_at, id
on conflict do nothing;

create function keep_cluster_name() returns trigger language plpgsql as $$
declare
  key text[] := cluster_name_of(new.desired_config, new.deleted_at);
begin
  if tg_op = 'UPDATE' and key is not distinct from cluster_name_of(old.desired_config, old.deleted_at) then
    return null;
  end if;
  delete from cluster_name where deployment_id = new.id;
  if key is not null then
    insert into cluster_name (platform, provisioner, name, deployment_id) values (key[1], key[2], key[3], new.id);
  end if;
  return null;
end
$$;
create trigger cluster_name_is_kept after insert or update on deployment
  for each row execute function keep_cluster_name();

-- Down Migration

drop trigger cluster_name_is_kept on deployment;
drop function keep_cluster_name, cluster_name_of;
drop table cluster_name;
