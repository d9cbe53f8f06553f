-- Up Migration

-- The revisions of the provisioners that the runtime was last updated with; empty for what older versions deployed.
alter table deployment add column revisions jsonb not null default '{}';

-- Down Migration

alter table deployment drop column revisions;
