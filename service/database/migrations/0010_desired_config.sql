-- Up Migration

-- `wish` and `wish_before` get the names of the API. Processes of the version before read and write the old columns while they
-- are replaced, so both stay and a trigger keeps them equal; a later version drops the old ones.
alter table deployment add column desired_config jsonb;
alter table operation add column previous_config jsonb;
update deployment set desired_config = wish;
update operation set previous_config = wish_before where wish_before is not null;
alter table deployment alter column desired_config set not null;

create function copy_desired_config() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.desired_config := coalesce(new.desired_config, new.wish);
  elsif new.desired_config is not distinct from old.desired_config then
    new.desired_config := new.wish;
  end if;
  new.wish := new.desired_config;
  return new;
end
$$;
create trigger deployment_config_is_copied before insert or update of wish, desired_config on deployment
  for each row execute function copy_desired_config();

create function copy_previous_config() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.previous_config := coalesce(new.previous_config, new.wish_before);
  elsif new.previous_config is not distinct from old.previous_config then
    new.previous_config := new.wish_before;
  end if;
  new.wish_before := new.previous_config;
  return new;
end
$$;
create trigger operation_config_is_copied before insert or update of wish_before, previous_config on operation
  for each row execute function copy_previous_config();

-- Down Migration

drop trigger operation_config_is_copied on operation;
drop trigger deployment_config_is_copied on deployment;
drop function copy_previous_config, copy_desired_config;
alter table operation drop column previous_config;
alter table deployment drop column desired_config;
