-- Up Migration

-- Previews of new deployments, each of which creates an empty stack and removes it.
create table preview (
  id bigint generated always as identity primary key,
  -- Name of the stack; there is no deployment yet.
  deployment_id text not null,
  -- When its engine has certainly ended.
  until timestamptz not null
);

-- Down Migration

drop table preview;
