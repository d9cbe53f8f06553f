-- Up Migration

-- How long a deployment may live, be unused, and be hibernated, and what of that is announced.
create table lifetime (
  deployment_id text primary key references deployment (id) on delete cascade,
  -- In seconds; null: no limit.
  time_to_live integer,
  idle_limit integer,
  stopped_retention integer,
  -- Start of the time to live.
  set_at timestamptz not null,
  used_at timestamptz not null,
  -- Since when it is hibernated; null while it runs.
  stopped_at timestamptz,
  -- What is announced, and for the end of which period.
  action text check (action in ('hibernate', 'deprovision')),
  due_at timestamptz,
  -- When it happens; null while protection prevents it.
  acts_at timestamptz,
  announced_at timestamptz,
  -- When to look at it next; null: when something changes.
  next_at timestamptz default now()
);
create index lifetime_next on lifetime (next_at) where next_at is not null;

-- Triggers keep the times, whoever hibernates, wakes or uses a deployment: the service, also of the version before, or the command
-- line, whose changes the next operation takes in.
create function keep_lifetime() returns trigger language plpgsql as $$
declare
  -- A change that failed does not restart a period; one that was canceled does.
  failed boolean := exists (
    select from operation where deployment_id = new.id and state = 'failed' and ended_at = now()
  );
  starts boolean := new.desired_state = 'running' and old.desired_state <> 'running' and not failed;
begin
  update lifetime set
    stopped_at = case
      when new.desired_state = 'running' then null
      when new.desired_state = 'absent' then stopped_at
      when failed or old.desired_state = 'hibernated' then coalesce(stopped_at, now())
      else now()
    end,
    used_at = case when starts then now() else used_at end,
    set_at = case when starts and set_at + time_to_live * interval '1 second' <= now() then now() else set_at end,
    next_at = now()
  where deployment_id = new.id;
  return null;
end
$$;
create trigger lifetime_is_kept after update on deployment for each row
  when ((old.desired_state, old.protected, old.deleted_at) is distinct from (new.desired_state, new.protected, new.deleted_at))
  execute function keep_lifetime();

create function note_use() returns trigger language plpgsql as $$
begin
  update lifetime set used_at = now() where deployment_id = new.deployment_id;
  return null;
end
$$;
create trigger use_is_noted after insert on operation for each row
  when (new.kind in ('provision', 'update', 'wake', 'move'))
  execute function note_use();

alter table notice
  drop constraint notice_kind_check,
  add constraint notice_kind_check check (kind in ('capacity', 'drift', 'health', 'lifetime'));

-- Down Migration

delete from notice where kind = 'lifetime';
alter table notice
  drop constraint notice_kind_check,
  add constraint notice_kind_check check (kind in ('capacity', 'drift', 'health'));
drop trigger use_is_noted on operation;
drop trigger lifetime_is_kept on deployment;
drop function note_use, keep_lifetime;
drop table lifetime;
