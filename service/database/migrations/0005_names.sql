-- Up Migration

-- What a tenant calls its deployment. The id is that of the stack, which all tenants share.
alter table deployment add column name text;
update deployment set name = id;
alter table deployment alter column name set not null;
create unique index deployment_name on deployment (tenant, name);
drop index deployment_of_tenant;

-- Processes of the version before go on while they are replaced: they know of no names.
create function name_by_id() returns trigger language plpgsql as $$
begin
  new.name := coalesce(new.name, new.id);
  return new;
end
$$;
create trigger deployment_is_named before insert on deployment for each row execute function name_by_id();

-- Down Migration

create index deployment_of_tenant on deployment (tenant, id);
drop trigger deployment_is_named on deployment;
drop function name_by_id;
alter table deployment drop column name;
