import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Schema of 1.0.0. The entities say what each column is for. */
const SCHEMA = String.raw`
DO $$ BEGIN
  IF EXISTS (SELECT FROM schema_migrations) THEN
    RAISE EXCEPTION 'This database was made before 1.0.0. Move it once: docs/operating.md says how.';
  END IF;
END $$;

-- Functions

-- Folds case and marks, so that a search finds "Ärzte" by "arzte" and a sort ignores case (ADR 29).
CREATE FUNCTION search_key(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(lower(normalize(value, NFKD) COLLATE "und-x-icu"), '[\u0300-\u036f]', '', 'g') COLLATE "C" $$;

-- Keeps the audit trail append-only.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'The audit trail is append-only.'; END $$;

-- Events of the audit trail are deleted with their organization and at no other time.
CREATE FUNCTION refuse_deletion_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT 1 FROM deleted d LEFT JOIN tenants t ON t.id = d.tenant_id WHERE t.deletion_started_at IS NULL)
      THEN RAISE EXCEPTION 'The audit trail is append-only.';
    END IF;
    RETURN NULL;
  END $$;

-- Memberships copy name and address, so that an index of one organization finds and orders them.
CREATE FUNCTION fill_member_keys() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    SELECT search_key(coalesce(a.first_name, a.email, '')), search_key(coalesce(a.email, ''))
      INTO NEW.name_key, NEW.address_key FROM accounts a WHERE a.id = NEW.user_id FOR SHARE;
    NEW.name_key := coalesce(NEW.name_key, '');
    NEW.address_key := coalesce(NEW.address_key, '');
    RETURN NEW;
  END $$;

CREATE FUNCTION update_member_keys() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE members SET name_key = search_key(coalesce(NEW.first_name, NEW.email, '')),
      address_key = search_key(coalesce(NEW.email, '')) WHERE user_id = NEW.id;
    RETURN NULL;
  END $$;

-- All addresses of a record, by which an erasure finds it.
CREATE FUNCTION directory_address_keys(attributes jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(left(lower((e.item ->> 'value') COLLATE "und-x-icu"), 320) COLLATE "C"), '{}')
  FROM jsonb_array_elements(CASE jsonb_typeof(attributes -> 'emails') WHEN 'array' THEN attributes -> 'emails' ELSE '[]' END) AS e (item)
  WHERE jsonb_typeof(e.item -> 'value') = 'string' $$;

-- Counts records and bytes of a directory, which its budget limits.
CREATE FUNCTION count_directory_records() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE sign int := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
  BEGIN
    UPDATE directories d SET records = d.records + sign * c.records, bytes = d.bytes + sign * c.bytes
    FROM (SELECT tenant_id, directory_id, count(*)::int AS records, sum(octet_length(attributes::text)) AS bytes
      FROM changed GROUP BY tenant_id, directory_id) c
    WHERE d.tenant_id = c.tenant_id AND d.id = c.directory_id;
    RETURN NULL;
  END $$;

CREATE FUNCTION count_directory_memberships() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE sign int := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
  BEGIN
    UPDATE directories d SET bytes = d.bytes + sign * c.bytes
    FROM (SELECT tenant_id, directory_id, 128 * count(*) AS bytes FROM changed GROUP BY tenant_id, directory_id) c
    WHERE d.tenant_id = c.tenant_id AND d.id = c.directory_id;
    RETURN NULL;
  END $$;

CREATE FUNCTION count_directory_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE directories SET bytes = bytes + octet_length(NEW.attributes::text) - octet_length(OLD.attributes::text)
    WHERE tenant_id = NEW.tenant_id AND id = NEW.directory_id;
    RETURN NULL;
  END $$;

-- Events

CREATE SEQUENCE events_seq;
CREATE TABLE events (
  id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  seq bigint NOT NULL DEFAULT nextval('events_seq'),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  type text COLLATE "C" NOT NULL,
  tenant_ids text[] COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C",
  data jsonb NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (created_at, id)
) PARTITION BY RANGE (created_at);
ALTER SEQUENCE events_seq OWNED BY events.seq;
CREATE INDEX events_order_idx ON events (xid, seq);

CREATE TABLE event_entries (
  tenant_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  created_at timestamptz NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  CONSTRAINT event_entries_pkey PRIMARY KEY (tenant_id, sequence, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX event_entries_created_idx ON event_entries (created_at);

CREATE TABLE event_streams (
  tenant_id text COLLATE "C" NOT NULL,
  last bigint NOT NULL,
  CONSTRAINT event_streams_pkey PRIMARY KEY (tenant_id)
);

CREATE TABLE event_cursors (
  consumer text COLLATE "C" NOT NULL,
  xid xid8 NOT NULL,
  seq bigint NOT NULL,
  CONSTRAINT event_cursors_pkey PRIMARY KEY (consumer)
);

-- Rows of whole months expire; the cleanup creates further partitions.
INSERT INTO event_cursors (consumer, xid, seq) VALUES ('sequencer', '0', 0);
CREATE TABLE events_default PARTITION OF events DEFAULT;
CREATE TABLE event_entries_default PARTITION OF event_entries DEFAULT;
DO $$
DECLARE
  first date;
  parent text;
BEGIN
  FOR month IN 0..2 LOOP
    first := date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => month);
    FOREACH parent IN ARRAY ARRAY['events', 'event_entries'] LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', parent || to_char(first, '_YYYY_MM'), parent,
        first::timestamp AT TIME ZONE 'UTC', (first + interval '1 month')::timestamp AT TIME ZONE 'UTC');
    END LOOP;
  END LOOP;
END $$;

-- Budgets of senders

CREATE TABLE daily_uses (
  kind text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  day date NOT NULL,
  used integer NOT NULL,
  CONSTRAINT daily_uses_pkey PRIMARY KEY (kind, holder, day)
) WITH (fillfactor=50);
CREATE INDEX daily_uses_day_idx ON daily_uses (day);

-- Mail

CREATE TABLE outgoing_mails (
  id text COLLATE "C" NOT NULL,
  recipient_key bytea NOT NULL,
  kind text NOT NULL,
  sealed text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  network_key bytea,
  kept text,
  unsolicited boolean NOT NULL DEFAULT false,
  CONSTRAINT outgoing_mails_pkey PRIMARY KEY (id)
);
CREATE INDEX outgoing_mails_recipient_idx ON outgoing_mails (recipient_key, kind, created_at);
CREATE INDEX outgoing_mails_expiry_idx ON outgoing_mails (expires_at);
CREATE INDEX outgoing_mails_unsolicited_idx ON outgoing_mails (recipient_key, created_at) WHERE unsolicited;

CREATE TABLE mail_records (
  id text COLLATE "C" NOT NULL,
  recipient_key bytea NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  attempts integer NOT NULL,
  reply text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT mail_records_pkey PRIMARY KEY (id),
  CONSTRAINT mail_records_state_known CHECK (state IN ('sent', 'deferred', 'refused'))
);
CREATE INDEX mail_records_recipient_idx ON mail_records (recipient_key, id);
CREATE INDEX mail_records_created_idx ON mail_records (created_at);

-- Jobs

CREATE TABLE job_runners (
  id text COLLATE "C" NOT NULL,
  seen_at timestamptz NOT NULL,
  CONSTRAINT job_runners_pkey PRIMARY KEY (id)
);

-- Accounts

CREATE TABLE accounts (
  id text COLLATE "C" NOT NULL,
  email text,
  email_key text COLLATE "C",
  password_hash text,
  password_version integer NOT NULL DEFAULT 1,
  first_name text,
  company text,
  country text,
  marketing_opt_in boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  erased_at timestamptz,
  suspended_at timestamptz,
  locale text,
  import_key text COLLATE "C",
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_email_key_unique UNIQUE (email_key),
  CONSTRAINT accounts_erased_is_anonymous CHECK (erased_at IS NULL OR (email IS NULL AND email_key IS NULL AND password_hash IS NULL AND first_name IS NULL AND company IS NULL AND country IS NULL))
);
CREATE INDEX accounts_erased_idx ON accounts (id) WHERE erased_at IS NOT NULL;
CREATE INDEX accounts_domain_idx ON accounts (substr(email_key, (strpos(email_key, '@') + 1)), id) WHERE email_key IS NOT NULL;
CREATE INDEX accounts_name_idx ON accounts (search_key(first_name) COLLATE "C", id) WHERE first_name IS NOT NULL;
CREATE INDEX accounts_suspended_idx ON accounts (id) WHERE suspended_at IS NOT NULL;
CREATE INDEX accounts_imported_idx ON accounts (split_part(password_hash, '$', 2) COLLATE "C") WHERE password_hash LIKE 'f1$%';
CREATE UNIQUE INDEX accounts_import_key_unique ON accounts (import_key) WHERE import_key IS NOT NULL;

CREATE TABLE pending_registrations (
  token_hash bytea NOT NULL,
  email text NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  password_hash text NOT NULL,
  first_name text NOT NULL,
  company text,
  country text,
  marketing_opt_in boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  network_key bytea,
  registered_at timestamptz,
  failed_tries integer NOT NULL DEFAULT 0,
  locale text,
  CONSTRAINT pending_registrations_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX pending_registrations_email_idx ON pending_registrations (email_key, created_at DESC);
CREATE INDEX pending_registrations_expiry_idx ON pending_registrations (expires_at);

CREATE TABLE password_resets (
  token_hash bytea NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT password_resets_pkey PRIMARY KEY (token_hash),
  CONSTRAINT password_resets_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX password_resets_account_idx ON password_resets (account_id);
CREATE INDEX password_resets_expiry_idx ON password_resets (expires_at);

CREATE TABLE login_throttles (
  account_key bytea NOT NULL,
  network_key bytea NOT NULL,
  failures integer NOT NULL,
  blocked_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  trusted_until timestamptz,
  account_id text COLLATE "C",
  series_failures integer NOT NULL DEFAULT 0,
  series_began_at timestamptz,
  series_failed_at timestamptz,
  CONSTRAINT login_throttles_pkey PRIMARY KEY (account_key, network_key)
);
CREATE INDEX login_throttles_expiry_idx ON login_throttles (expires_at);
CREATE INDEX login_throttles_series_idx ON login_throttles (series_failed_at) WHERE series_failures > 0;

CREATE TABLE email_changes (
  account_id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL,
  email text NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  session_id text COLLATE "C",
  CONSTRAINT email_changes_pkey PRIMARY KEY (account_id),
  CONSTRAINT email_changes_token_key UNIQUE (token_hash),
  CONSTRAINT email_changes_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX email_changes_expiry_idx ON email_changes (expires_at);

CREATE TABLE email_undos (
  token_hash bytea NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT email_undos_pkey PRIMARY KEY (token_hash),
  CONSTRAINT email_undos_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX email_undos_account_idx ON email_undos (account_id);
CREATE INDEX email_undos_expiry_idx ON email_undos (expires_at);

CREATE TABLE account_exports (
  account_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  sealed text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT account_exports_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT account_exports_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX account_exports_expiry_idx ON account_exports (expires_at);

-- Organizations

CREATE TABLE tenants (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  archived_at timestamptz,
  deletes_at timestamptz,
  deletion_requested_by text COLLATE "C",
  deletion_started_at timestamptz,
  sign_in_policy jsonb,
  support_until timestamptz,
  slug text COLLATE "C",
  former_slugs text[] COLLATE "C" NOT NULL DEFAULT '{}',
  other_connections boolean NOT NULL DEFAULT false,
  other_connections_told boolean NOT NULL DEFAULT true,
  CONSTRAINT tenants_pkey PRIMARY KEY (id),
  CONSTRAINT tenants_slug_key UNIQUE (slug),
  CONSTRAINT tenants_deletion_requested CHECK (deletes_at IS NULL OR deletion_requested_by IS NOT NULL),
  CONSTRAINT tenants_deletion_scheduled CHECK (deletion_started_at IS NULL OR deletes_at IS NOT NULL)
);
CREATE INDEX tenants_deletion_idx ON tenants (deletes_at, id) WHERE deletes_at IS NOT NULL;
CREATE INDEX tenants_name_idx ON tenants (search_key(name) COLLATE "C", id);
CREATE INDEX tenants_former_slugs_idx ON tenants USING gin (former_slugs);
CREATE INDEX tenants_other_connections_idx ON tenants (id) WHERE NOT other_connections_told;

CREATE TABLE roles (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  built_in boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT roles_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT roles_key_unique UNIQUE (tenant_id, key),
  CONSTRAINT roles_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);

CREATE TABLE members (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  joined_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  name_key text COLLATE "C" NOT NULL DEFAULT '',
  address_key text COLLATE "C" NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'active',
  source text NOT NULL DEFAULT 'manual',
  last_active_at timestamptz,
  CONSTRAINT members_pkey PRIMARY KEY (tenant_id, user_id),
  CONSTRAINT members_source_known CHECK (source IN ('manual', 'connection', 'directory')),
  CONSTRAINT members_status_known CHECK (status IN ('active', 'suspended')),
  CONSTRAINT members_account_fkey FOREIGN KEY (user_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT members_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX members_user_idx ON members (user_id, tenant_id);
CREATE INDEX members_name_idx ON members (tenant_id, name_key, user_id);
CREATE INDEX members_address_idx ON members (tenant_id, address_key, user_id);
CREATE INDEX members_joined_idx ON members (tenant_id, joined_at, user_id);

CREATE TABLE member_roles (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL DEFAULT 'manual',
  CONSTRAINT member_roles_pkey PRIMARY KEY (tenant_id, user_id, role_id, source),
  CONSTRAINT member_roles_source_known CHECK (source IN ('manual', 'connection', 'directory')),
  CONSTRAINT member_roles_member_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES members(tenant_id, user_id) ON DELETE CASCADE,
  CONSTRAINT member_roles_role_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES roles(tenant_id, id)
);
CREATE INDEX member_roles_role_idx ON member_roles (tenant_id, role_id, user_id);

CREATE TABLE invitations (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  role_ids text[] NOT NULL,
  token_hash bytea NOT NULL,
  invited_by text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  revoked_at timestamptz,
  expiry_noted_at timestamptz,
  CONSTRAINT invitations_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT invitations_token_unique UNIQUE (token_hash),
  CONSTRAINT invitations_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX invitations_email_idx ON invitations (email_key, tenant_id);
CREATE INDEX invitations_expires_idx ON invitations (expires_at);
CREATE UNIQUE INDEX invitations_one_open_idx ON invitations (tenant_id, email_key) WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE INDEX invitations_address_idx ON invitations (tenant_id, email_key, id);
CREATE INDEX invitations_pending_idx ON invitations (tenant_id, id) WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE INDEX invitations_accepted_idx ON invitations (tenant_id, id) WHERE accepted_at IS NOT NULL;
CREATE INDEX invitations_revoked_idx ON invitations (tenant_id, id) WHERE accepted_at IS NULL AND revoked_at IS NOT NULL;
CREATE INDEX invitations_expiry_idx ON invitations (expires_at) WHERE accepted_at IS NULL AND revoked_at IS NULL AND expiry_noted_at IS NULL;

CREATE TABLE brandings (
  tenant_id text COLLATE "C" NOT NULL,
  display_name text,
  accent_color text COLLATE "C",
  support_url text,
  mail_sender_name text,
  logo bytea,
  logo_type text COLLATE "C",
  logo_hash text COLLATE "C",
  CONSTRAINT brandings_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT brandings_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);

CREATE TABLE retired_slugs (
  slug_key bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT retired_slugs_pkey PRIMARY KEY (slug_key)
);
CREATE INDEX retired_slugs_expiry_idx ON retired_slugs (expires_at);

CREATE TABLE tenant_limits (
  tenant_id text COLLATE "C" NOT NULL,
  mails_per_day integer,
  open_invitations integer,
  CONSTRAINT tenant_limits_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT tenant_limits_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);

-- Audit trail, idempotency, imports, operators

CREATE TABLE audit_events (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  action text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  tenant_id text COLLATE "C",
  subject text COLLATE "C",
  impersonator_id text COLLATE "C",
  ticket text,
  CONSTRAINT audit_events_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_events_account_idx ON audit_events (account_id, id);
CREATE INDEX audit_events_tenant_idx ON audit_events (tenant_id, id) WHERE tenant_id IS NOT NULL;
CREATE INDEX audit_events_tenant_action_idx ON audit_events (tenant_id, action, id) WHERE tenant_id IS NOT NULL;
CREATE INDEX audit_events_tenant_actor_idx ON audit_events (tenant_id, account_id, id) WHERE tenant_id IS NOT NULL;
CREATE INDEX audit_events_tenant_subject_idx ON audit_events (tenant_id, subject, id) WHERE tenant_id IS NOT NULL;
CREATE INDEX audit_events_subject_idx ON audit_events (subject, id) WHERE subject IS NOT NULL;

CREATE TABLE operators (
  account_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  role text NOT NULL DEFAULT 'admin',
  trusted_from timestamptz NOT NULL DEFAULT now(),
  scopes text[] COLLATE "C",
  CONSTRAINT operators_pkey PRIMARY KEY (account_id),
  CONSTRAINT operators_role_known CHECK (role IN ('support', 'admin')),
  CONSTRAINT operators_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

CREATE TABLE audit_details (
  event_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  details jsonb NOT NULL,
  CONSTRAINT audit_details_pkey PRIMARY KEY (event_id)
);
CREATE INDEX audit_details_account_idx ON audit_details (account_id, event_id);

CREATE TABLE idempotent_responses (
  account_id text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL,
  request_hash bytea NOT NULL,
  sealed text NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT idempotent_responses_pkey PRIMARY KEY (account_id, key_hash)
);
CREATE INDEX idempotent_responses_expiry_idx ON idempotent_responses (expires_at);

-- Clients

CREATE TABLE satellites (
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  secret_hash bytea NOT NULL,
  previous_secret_hash bytea,
  previous_secret_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz,
  scopes text[] NOT NULL DEFAULT '{}',
  scopes_inherited boolean NOT NULL DEFAULT false,
  type text COLLATE "C" NOT NULL DEFAULT 'confidential',
  first_party boolean NOT NULL DEFAULT false,
  grant_types text[] NOT NULL DEFAULT '{authorization_code,refresh_token}',
  token_endpoint_auth_method text COLLATE "C" NOT NULL DEFAULT 'client_secret_basic',
  post_logout_redirect_uris text[] NOT NULL DEFAULT '{}',
  backchannel_logout_uri text,
  require_par boolean NOT NULL DEFAULT false,
  id_token_alg text COLLATE "C" NOT NULL DEFAULT 'RS256',
  logo_uri text,
  require_dpop boolean NOT NULL DEFAULT false,
  jwks jsonb,
  jwks_uri text,
  subject_type text COLLATE "C" NOT NULL DEFAULT 'public',
  sector text COLLATE "C",
  tenant_id text COLLATE "C",
  logo bytea,
  logo_type text COLLATE "C",
  logo_hash text COLLATE "C",
  satellite_codes boolean NOT NULL DEFAULT false,
  sid_key uuid NOT NULL DEFAULT gen_random_uuid(),
  sid_key_since timestamptz,
  CONSTRAINT satellites_pkey PRIMARY KEY (id),
  CONSTRAINT satellites_client_unique UNIQUE (client_id),
  CONSTRAINT satellites_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX satellites_inherited_idx ON satellites (client_id) WHERE scopes_inherited;
CREATE INDEX satellites_tenant_idx ON satellites (tenant_id, id);
CREATE INDEX satellites_own_idx ON satellites (client_id) WHERE first_party AND tenant_id IS NULL;

-- Sessions

CREATE TABLE sessions (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  amr text[] NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  confirmed_at timestamptz,
  aal2_at timestamptz,
  phr_at timestamptz,
  trusted_device boolean NOT NULL DEFAULT false,
  vouched_by text[] COLLATE "C" NOT NULL DEFAULT '{}',
  vouched_factor boolean NOT NULL DEFAULT false,
  own_proof boolean NOT NULL DEFAULT false,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expiry_idx ON sessions (expires_at);
CREATE INDEX sessions_ended_idx ON sessions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sessions_account_idx ON sessions (account_id, id);

CREATE TABLE grants (
  id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C",
  generation integer NOT NULL DEFAULT 1,
  rotated_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  idle_expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  granted_scopes text[],
  dpop_jkt text COLLATE "C",
  CONSTRAINT grants_pkey PRIMARY KEY (id),
  CONSTRAINT grants_session_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX grants_session_idx ON grants (session_id);
CREATE INDEX grants_tenant_idx ON grants (account_id, tenant_id) WHERE tenant_id IS NOT NULL AND ended_at IS NULL;
CREATE INDEX grants_of_tenant_idx ON grants (tenant_id, id) WHERE tenant_id IS NOT NULL;

CREATE TABLE signing_keys (
  kid text COLLATE "C" NOT NULL,
  public_jwk jsonb NOT NULL,
  sealed_private_key text NOT NULL,
  signs_from timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT signing_keys_pkey PRIMARY KEY (kid)
);

CREATE TABLE disabled_clients (
  client_id text COLLATE "C" NOT NULL,
  CONSTRAINT disabled_clients_pkey PRIMARY KEY (client_id)
);

CREATE TABLE one_time_codes (
  code_hash bytea NOT NULL,
  purpose text COLLATE "C" NOT NULL,
  client_id text COLLATE "C",
  session_id text COLLATE "C",
  account_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C",
  redirect_uri text,
  code_challenge text COLLATE "C",
  scopes text[],
  nonce text,
  dpop_jkt text COLLATE "C",
  grant_id text COLLATE "C",
  content jsonb,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  CONSTRAINT one_time_codes_pkey PRIMARY KEY (code_hash),
  CONSTRAINT one_time_codes_client_of_purpose CHECK ((client_id IS NOT NULL) = (purpose IN ('satellite', 'openid'))),
  CONSTRAINT one_time_codes_grant_of_purpose CHECK (purpose IN ('external', 'link') OR num_nulls(session_id, redirect_uri, code_challenge, grant_id) = 0),
  CONSTRAINT one_time_codes_purpose_known CHECK (purpose IN ('satellite', 'hosted', 'openid', 'external', 'link')),
  CONSTRAINT one_time_codes_client_fkey FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE,
  CONSTRAINT one_time_codes_session_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX one_time_codes_account_idx ON one_time_codes (account_id) WHERE client_id IS NULL;
CREATE INDEX one_time_codes_client_idx ON one_time_codes (client_id);
CREATE INDEX one_time_codes_expiry_idx ON one_time_codes (expires_at);
CREATE INDEX one_time_codes_session_idx ON one_time_codes (session_id);
CREATE INDEX one_time_codes_tenant_idx ON one_time_codes (tenant_id) WHERE tenant_id IS NOT NULL;

CREATE TABLE known_networks (
  account_id text COLLATE "C" NOT NULL,
  network_key bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT known_networks_pkey PRIMARY KEY (account_id, network_key),
  CONSTRAINT known_networks_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX known_networks_expiry_idx ON known_networks (expires_at);

CREATE TABLE session_evidence (
  session_id text COLLATE "C" NOT NULL,
  method text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL DEFAULT '',
  acr text COLLATE "C" NOT NULL,
  proven_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT session_evidence_pkey PRIMARY KEY (session_id, method, connection_id),
  CONSTRAINT session_evidence_session_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);

CREATE TABLE sign_in_challenges (
  challenge_hash bytea NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  password_version integer NOT NULL,
  method text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL DEFAULT '',
  failures integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  password_listed boolean NOT NULL DEFAULT false,
  upstream jsonb,
  CONSTRAINT sign_in_challenges_pkey PRIMARY KEY (challenge_hash),
  CONSTRAINT sign_in_challenges_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX sign_in_challenges_account_idx ON sign_in_challenges (account_id);
CREATE INDEX sign_in_challenges_expiry_idx ON sign_in_challenges (expires_at);

CREATE TABLE email_codes (
  subject_key bytea NOT NULL,
  code_hash bytea NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  CONSTRAINT email_codes_pkey PRIMARY KEY (subject_key)
);
CREATE INDEX email_codes_expiry_idx ON email_codes (expires_at);

CREATE TABLE impersonations (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  operator_id text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  operator_session_id text COLLATE "C" NOT NULL,
  ticket text,
  CONSTRAINT impersonations_pkey PRIMARY KEY (id),
  CONSTRAINT impersonations_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX impersonations_account_idx ON impersonations (account_id);
CREATE INDEX impersonations_tenant_idx ON impersonations (tenant_id);
CREATE INDEX impersonations_expiry_idx ON impersonations (expires_at);
CREATE INDEX impersonations_operator_idx ON impersonations (operator_id) WHERE ended_at IS NULL;
CREATE INDEX impersonations_operator_session_idx ON impersonations (operator_session_id) WHERE ended_at IS NULL;

CREATE TABLE upstream_sessions (
  session_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  name_id_hash bytea NOT NULL,
  session_index bytea,
  oidc_sid bytea,
  sealed text NOT NULL,
  CONSTRAINT upstream_sessions_pkey PRIMARY KEY (session_id),
  CONSTRAINT upstream_sessions_session_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX upstream_sessions_subject_idx ON upstream_sessions (connection_id, name_id_hash);
CREATE INDEX upstream_sessions_sid_idx ON upstream_sessions (connection_id, oidc_sid);

-- Authenticators

CREATE TABLE totp_authenticators (
  account_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  sealed_secret text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz,
  last_used_at timestamptz,
  last_step bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  blocked_at timestamptz,
  assured_by text COLLATE "C",
  session_id text COLLATE "C",
  CONSTRAINT totp_authenticators_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT totp_authenticators_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX totp_authenticators_unconfirmed_idx ON totp_authenticators (created_at) WHERE confirmed_at IS NULL;

CREATE TABLE passkey_users (
  account_id text COLLATE "C" NOT NULL,
  handle bytea NOT NULL,
  CONSTRAINT passkey_users_pkey PRIMARY KEY (account_id),
  CONSTRAINT passkey_users_handle_key UNIQUE (handle),
  CONSTRAINT passkey_users_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

CREATE TABLE passkeys (
  account_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  backup_eligible boolean NOT NULL,
  backed_up boolean NOT NULL,
  transports text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  assured_by text COLLATE "C",
  session_id text COLLATE "C",
  CONSTRAINT passkeys_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT passkeys_credential_key UNIQUE (credential_id),
  CONSTRAINT passkeys_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

CREATE TABLE spent_ceremonies (
  flow_id bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT spent_ceremonies_pkey PRIMARY KEY (flow_id)
);
CREATE INDEX spent_ceremonies_expiry_idx ON spent_ceremonies (expires_at);

CREATE TABLE recovery_codes (
  account_id text COLLATE "C" NOT NULL,
  code_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  assured_by text COLLATE "C",
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, code_hash),
  CONSTRAINT recovery_codes_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

CREATE TABLE trusted_devices (
  account_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  secret_hash bytea NOT NULL,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  session_id text COLLATE "C",
  CONSTRAINT trusted_devices_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT trusted_devices_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX trusted_devices_expiry_idx ON trusted_devices (expires_at);

CREATE TABLE factor_resets (
  account_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  requested_by text COLLATE "C",
  reason text NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  effective_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT factor_resets_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT factor_resets_token_key UNIQUE (token_hash),
  CONSTRAINT factor_resets_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX factor_resets_pending_idx ON factor_resets (account_id) WHERE ended_at IS NULL;
CREATE INDEX factor_resets_ended_idx ON factor_resets (ended_at);

-- External identities and keys at providers

CREATE TABLE external_identities (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  is_authority boolean NOT NULL DEFAULT false,
  connection_id text COLLATE "C" NOT NULL,
  sealed_grant text,
  session_id text COLLATE "C",
  used_as_member boolean NOT NULL DEFAULT true,
  followed_name text,
  CONSTRAINT external_identities_pkey PRIMARY KEY (id),
  CONSTRAINT external_identities_subject_unique UNIQUE (connection_id, issuer, subject),
  CONSTRAINT external_identities_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX external_identities_account_idx ON external_identities (account_id, id);
CREATE INDEX external_identities_connection_idx ON external_identities (connection_id, account_id);

CREATE TABLE external_flows (
  id text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT external_flows_pkey PRIMARY KEY (id)
);
CREATE INDEX external_flows_expiry_idx ON external_flows (expires_at);

CREATE TABLE external_states (
  key_hash bytea NOT NULL,
  account_id text COLLATE "C",
  state text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT external_states_pkey PRIMARY KEY (key_hash),
  CONSTRAINT external_states_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX external_states_account_idx ON external_states (account_id);
CREATE INDEX external_states_expiry_idx ON external_states (expires_at);

CREATE TABLE external_proofs (
  proof_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT external_proofs_pkey PRIMARY KEY (proof_hash)
);
CREATE INDEX external_proofs_expiry_idx ON external_proofs (expires_at);

CREATE TABLE external_forms (
  key_hash bytea NOT NULL,
  sealed text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  slot bytea,
  network bytea,
  bytes integer,
  CONSTRAINT external_forms_pkey PRIMARY KEY (key_hash)
);
CREATE INDEX external_forms_expiry_idx ON external_forms (expires_at);
CREATE UNIQUE INDEX external_forms_slot_idx ON external_forms (slot);
CREATE INDEX external_forms_network_idx ON external_forms (network, expires_at);

CREATE TABLE connection_keys (
  kid text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  certificate text COLLATE "C",
  sealed_private_key text COLLATE "C" NOT NULL,
  signs_from timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT connection_keys_pkey PRIMARY KEY (kid)
);

-- Service accounts

CREATE TABLE service_accounts (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text,
  contact text,
  status text COLLATE "C" NOT NULL DEFAULT 'active',
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  CONSTRAINT service_accounts_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT service_accounts_id_unique UNIQUE (id),
  CONSTRAINT service_accounts_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);

CREATE TABLE service_account_roles (
  tenant_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  role_id text COLLATE "C" NOT NULL,
  CONSTRAINT service_account_roles_pkey PRIMARY KEY (tenant_id, account_id, role_id),
  CONSTRAINT service_account_roles_account_fkey FOREIGN KEY (tenant_id, account_id) REFERENCES service_accounts(tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT service_account_roles_role_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES roles(tenant_id, id)
);
CREATE INDEX service_account_roles_role_idx ON service_account_roles (tenant_id, role_id, account_id);

CREATE TABLE machine_credentials (
  tenant_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  owner_kind text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  lookup text COLLATE "C",
  name text NOT NULL,
  secret_hash bytea,
  public_key jsonb,
  jwks_uri text,
  scopes text[] COLLATE "C",
  networks text[] COLLATE "C" NOT NULL DEFAULT '{}',
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  warn_at timestamptz,
  last_used_at timestamptz,
  acr text COLLATE "C",
  session_id text COLLATE "C",
  voucher text COLLATE "C",
  CONSTRAINT machine_credentials_pkey PRIMARY KEY (tenant_id, owner_id, id),
  CONSTRAINT machine_credentials_lookup_unique UNIQUE (lookup),
  CONSTRAINT machine_credentials_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX machine_credentials_person_idx ON machine_credentials (owner_id, tenant_id) WHERE owner_kind = 'person';
CREATE INDEX machine_credentials_expiry_idx ON machine_credentials (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX machine_credentials_warning_idx ON machine_credentials (warn_at) WHERE warn_at IS NOT NULL;

CREATE TABLE used_assertions (
  assertion_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT used_assertions_pkey PRIMARY KEY (assertion_hash)
);
CREATE INDEX used_assertions_expiry_idx ON used_assertions (expires_at);

CREATE TABLE trust_rules (
  tenant_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  audience text COLLATE "C" NOT NULL,
  conditions jsonb NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT trust_rules_pkey PRIMARY KEY (tenant_id, account_id, id),
  CONSTRAINT trust_rules_account_fkey FOREIGN KEY (tenant_id, account_id) REFERENCES service_accounts(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX trust_rules_issuer_idx ON trust_rules (issuer, id);
CREATE INDEX trust_rules_account_idx ON trust_rules (account_id, issuer);

CREATE TABLE key_policies (
  tenant_id text COLLATE "C" NOT NULL,
  personal_keys boolean NOT NULL,
  max_lifetime_days integer,
  CONSTRAINT key_policies_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT key_policies_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);

CREATE TABLE platform_accounts (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'active',
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT platform_accounts_pkey PRIMARY KEY (id),
  CONSTRAINT platform_accounts_role_known CHECK (role IN ('support', 'admin'))
);

CREATE TABLE platform_keys (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  lookup text COLLATE "C" NOT NULL,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  scopes text[] COLLATE "C",
  networks text[] COLLATE "C" NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  warn_at timestamptz,
  CONSTRAINT platform_keys_pkey PRIMARY KEY (id),
  CONSTRAINT platform_keys_lookup_unique UNIQUE (lookup),
  CONSTRAINT platform_keys_account_fkey FOREIGN KEY (account_id) REFERENCES platform_accounts(id) ON DELETE CASCADE
);
CREATE INDEX platform_keys_account_idx ON platform_keys (account_id, id);
CREATE INDEX platform_keys_expiry_idx ON platform_keys (expires_at);
CREATE INDEX platform_keys_warning_idx ON platform_keys (warn_at) WHERE warn_at IS NOT NULL;

-- Console

CREATE TABLE erasure_requests (
  account_id text COLLATE "C" NOT NULL,
  operator_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT erasure_requests_pkey PRIMARY KEY (account_id),
  CONSTRAINT erasure_requests_account_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX erasure_requests_expiry_idx ON erasure_requests (expires_at);

CREATE TABLE import_requests (
  digest bytea NOT NULL,
  operator_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT import_requests_pkey PRIMARY KEY (digest)
);
CREATE INDEX import_requests_expiry_idx ON import_requests (expires_at);

-- Directories

CREATE TABLE directories (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C",
  name text NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'active',
  on_delete text COLLATE "C" NOT NULL DEFAULT 'suspend',
  match_attribute text COLLATE "C" NOT NULL DEFAULT 'externalId',
  created_at timestamptz NOT NULL DEFAULT now(),
  records integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT directories_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT directories_id_unique UNIQUE (id),
  CONSTRAINT directories_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);

CREATE TABLE directory_tokens (
  tenant_id text COLLATE "C" NOT NULL,
  directory_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  warn_at timestamptz,
  created_by text COLLATE "C",
  stopped_at timestamptz,
  CONSTRAINT directory_tokens_pkey PRIMARY KEY (tenant_id, directory_id, id),
  CONSTRAINT directory_tokens_id_unique UNIQUE (id),
  CONSTRAINT directory_tokens_directory_fkey FOREIGN KEY (tenant_id, directory_id) REFERENCES directories(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX directory_tokens_expiry_idx ON directory_tokens (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX directory_tokens_warning_idx ON directory_tokens (warn_at) WHERE warn_at IS NOT NULL;

CREATE TABLE directory_users (
  tenant_id text COLLATE "C" NOT NULL,
  directory_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_name_key text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  active boolean NOT NULL DEFAULT true,
  email_key text COLLATE "C",
  display_name_key text COLLATE "C",
  attributes jsonb NOT NULL,
  account_id text COLLATE "C",
  state text COLLATE "C" NOT NULL DEFAULT 'pending',
  reason text COLLATE "C",
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
  updated_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
  made_account boolean NOT NULL DEFAULT false,
  suspended_account boolean NOT NULL DEFAULT false,
  suspended_member boolean NOT NULL DEFAULT false,
  CONSTRAINT directory_users_pkey PRIMARY KEY (tenant_id, directory_id, id),
  CONSTRAINT directory_users_name_unique UNIQUE (tenant_id, directory_id, user_name_key),
  CONSTRAINT directory_users_directory_fkey FOREIGN KEY (tenant_id, directory_id) REFERENCES directories(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX directory_users_email_idx ON directory_users (tenant_id, directory_id, email_key);
CREATE INDEX directory_users_display_idx ON directory_users (tenant_id, directory_id, display_name_key);
CREATE INDEX directory_users_state_idx ON directory_users (tenant_id, directory_id, state, id);
CREATE UNIQUE INDEX directory_users_account_idx ON directory_users (account_id, directory_id) WHERE account_id IS NOT NULL;
CREATE INDEX directory_users_unlinked_idx ON directory_users (email_key) WHERE account_id IS NULL;
CREATE INDEX directory_users_addresses_idx ON directory_users USING gin (directory_address_keys(attributes)) WITH (fastupdate=off);
CREATE INDEX directory_users_waiting_idx ON directory_users (tenant_id, id) WHERE reason = 'invitation-waits';
CREATE INDEX directory_users_external_idx ON directory_users (tenant_id, directory_id, external_id);
CREATE UNIQUE INDEX directory_users_external_active_idx ON directory_users (tenant_id, directory_id, external_id) WHERE active;

CREATE TABLE directory_groups (
  tenant_id text COLLATE "C" NOT NULL,
  directory_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  display_name_key text COLLATE "C" NOT NULL,
  attributes jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
  updated_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
  CONSTRAINT directory_groups_pkey PRIMARY KEY (tenant_id, directory_id, id),
  CONSTRAINT directory_groups_external_unique UNIQUE (tenant_id, directory_id, external_id),
  CONSTRAINT directory_groups_directory_fkey FOREIGN KEY (tenant_id, directory_id) REFERENCES directories(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX directory_groups_display_idx ON directory_groups (tenant_id, directory_id, display_name_key);

CREATE TABLE directory_group_members (
  tenant_id text COLLATE "C" NOT NULL,
  directory_id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  CONSTRAINT directory_group_members_pkey PRIMARY KEY (tenant_id, directory_id, group_id, user_id),
  CONSTRAINT directory_group_members_group_fkey FOREIGN KEY (tenant_id, directory_id, group_id) REFERENCES directory_groups(tenant_id, directory_id, id) ON DELETE CASCADE,
  CONSTRAINT directory_group_members_user_fkey FOREIGN KEY (tenant_id, directory_id, user_id) REFERENCES directory_users(tenant_id, directory_id, id) ON DELETE CASCADE
);
CREATE INDEX directory_group_members_user_idx ON directory_group_members (tenant_id, directory_id, user_id);

CREATE TABLE directory_rules (
  tenant_id text COLLATE "C" NOT NULL,
  directory_id text COLLATE "C" NOT NULL,
  ordinal integer NOT NULL,
  group_id text COLLATE "C",
  group_name text NOT NULL,
  role_ids text[] COLLATE "C" NOT NULL,
  group_name_key text COLLATE "C",
  CONSTRAINT directory_rules_pkey PRIMARY KEY (tenant_id, directory_id, ordinal),
  CONSTRAINT directory_rules_directory_fkey FOREIGN KEY (tenant_id, directory_id) REFERENCES directories(tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE directory_log (
  tenant_id text COLLATE "C" NOT NULL,
  directory_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  method text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  status integer NOT NULL,
  scim_type text COLLATE "C",
  sealed_excerpt text,
  CONSTRAINT directory_log_pkey PRIMARY KEY (tenant_id, directory_id, id)
);
CREATE INDEX directory_log_at_idx ON directory_log (at);

CREATE TABLE directory_suspensions (
  tenant_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  CONSTRAINT directory_suspensions_pkey PRIMARY KEY (tenant_id, account_id, kind),
  CONSTRAINT directory_suspensions_kind_known CHECK (kind IN ('account', 'member'))
);
CREATE INDEX directory_suspensions_account_idx ON directory_suspensions (account_id);

-- Connections

CREATE TABLE connections (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'draft',
  settings_version integer NOT NULL DEFAULT 1,
  tested_version integer,
  tested_at timestamptz,
  tested_by text COLLATE "C",
  provisioning jsonb NOT NULL,
  trusts_second_factor boolean NOT NULL DEFAULT false,
  idp_initiated boolean NOT NULL DEFAULT false,
  last_sign_in_at timestamptz,
  last_error text COLLATE "C",
  last_error_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  activated_at timestamptz,
  groups_incomplete_at timestamptz,
  CONSTRAINT connections_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT connections_id_unique UNIQUE (id),
  CONSTRAINT connections_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);

CREATE TABLE oidc_connections (
  tenant_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  client_authentication text COLLATE "C" NOT NULL,
  sealed_client_secret text,
  scopes text[] COLLATE "C" NOT NULL DEFAULT '{}',
  claims jsonb NOT NULL DEFAULT '{}'::jsonb,
  acr_values text[] COLLATE "C" NOT NULL DEFAULT '{}',
  trusted_audiences text[] COLLATE "C" NOT NULL DEFAULT '{}',
  CONSTRAINT oidc_connections_pkey PRIMARY KEY (tenant_id, connection_id),
  CONSTRAINT oidc_connections_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE saml_connections (
  tenant_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  entity_id text COLLATE "C" NOT NULL,
  sso_url text NOT NULL,
  slo_url text,
  metadata_url text,
  metadata_valid_until timestamptz,
  fetched_at timestamptz,
  fetch_failed_at timestamptz,
  next_fetch_at timestamptz,
  waiting_certificates text[],
  sign_requests boolean NOT NULL DEFAULT true,
  want_encrypted_assertions boolean NOT NULL DEFAULT false,
  name_id_format text COLLATE "C",
  attributes jsonb NOT NULL DEFAULT '{}'::jsonb,
  authn_instant_max_age integer,
  sso_binding text,
  CONSTRAINT saml_connections_pkey PRIMARY KEY (tenant_id, connection_id),
  CONSTRAINT saml_connections_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX saml_connections_fetch_idx ON saml_connections (next_fetch_at) WHERE next_fetch_at IS NOT NULL;

CREATE TABLE connection_certificates (
  tenant_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  sha256 text COLLATE "C" NOT NULL,
  certificate text NOT NULL,
  source text COLLATE "C" NOT NULL,
  not_after timestamptz NOT NULL,
  first_seen timestamptz NOT NULL DEFAULT now(),
  last_used timestamptz,
  retired_at timestamptz,
  warn_at timestamptz,
  CONSTRAINT connection_certificates_pkey PRIMARY KEY (tenant_id, connection_id, sha256),
  CONSTRAINT connection_certificates_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX connection_certificates_warn_idx ON connection_certificates (warn_at) WHERE warn_at IS NOT NULL;

CREATE TABLE tenant_domains (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  domain text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending',
  verified_at timestamptz,
  checked_at timestamptz,
  missing_since timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT tenant_domains_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT tenant_domains_domain_unique UNIQUE (tenant_id, domain),
  CONSTRAINT tenant_domains_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX tenant_domains_verified_idx ON tenant_domains (domain) WHERE status = 'verified';
CREATE INDEX tenant_domains_check_idx ON tenant_domains (checked_at) WHERE status = 'verified';

CREATE TABLE connection_domains (
  tenant_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  domain_id text COLLATE "C" NOT NULL,
  CONSTRAINT connection_domains_pkey PRIMARY KEY (tenant_id, connection_id, domain_id),
  CONSTRAINT connection_domains_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT connection_domains_domain_fkey FOREIGN KEY (tenant_id, domain_id) REFERENCES tenant_domains(tenant_id, id)
);
CREATE INDEX connection_domains_domain_idx ON connection_domains (tenant_id, domain_id);

CREATE TABLE connection_rules (
  tenant_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  ordinal integer NOT NULL,
  attribute text NOT NULL,
  operator text COLLATE "C" NOT NULL,
  value text NOT NULL,
  role_ids text[] COLLATE "C" NOT NULL,
  CONSTRAINT connection_rules_pkey PRIMARY KEY (tenant_id, connection_id, ordinal),
  CONSTRAINT connection_rules_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE connection_tests (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  created_by text COLLATE "C",
  settings_version integer NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'waiting',
  sealed_result text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT connection_tests_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT connection_tests_id_unique UNIQUE (id),
  CONSTRAINT connection_tests_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX connection_tests_connection_idx ON connection_tests (tenant_id, connection_id);
CREATE INDEX connection_tests_creator_idx ON connection_tests (created_by) WHERE created_by IS NOT NULL;
CREATE INDEX connection_tests_expiry_idx ON connection_tests (expires_at);

CREATE TABLE setup_links (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL,
  intents text[] COLLATE "C" NOT NULL,
  connection_id text COLLATE "C",
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  directory_id text COLLATE "C",
  CONSTRAINT setup_links_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT setup_links_token_unique UNIQUE (token_hash),
  CONSTRAINT setup_links_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT setup_links_directory_fkey FOREIGN KEY (tenant_id, directory_id) REFERENCES directories(tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT setup_links_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX setup_links_connection_idx ON setup_links (tenant_id, connection_id);
CREATE INDEX setup_links_expiry_idx ON setup_links (expires_at);
CREATE INDEX setup_links_directory_idx ON setup_links (tenant_id, directory_id);

CREATE TABLE connection_changes (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  settings_version integer NOT NULL,
  sha256 text[] COLLATE "C" NOT NULL,
  sealed_change text NOT NULL,
  requested_by text COLLATE "C" NOT NULL,
  by_setup_link boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT connection_changes_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT connection_changes_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX connection_changes_connection_idx ON connection_changes (tenant_id, connection_id);
CREATE INDEX connection_changes_expiry_idx ON connection_changes (expires_at);

-- OpenID provider, signals

CREATE TABLE id_token_keys (
  kid text COLLATE "C" NOT NULL,
  public_jwk jsonb NOT NULL,
  sealed_private_key text NOT NULL,
  signs_from timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT id_token_keys_pkey PRIMARY KEY (kid)
);

CREATE TABLE oidc_requests (
  request_hash bytea NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  pushed boolean NOT NULL,
  redirect_uri text NOT NULL,
  scopes text[] NOT NULL,
  state text,
  nonce text,
  code_challenge text COLLATE "C" NOT NULL,
  prompts text[] NOT NULL,
  max_age integer,
  acr text COLLATE "C",
  login_hint text,
  subject_hint text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ui_locales text,
  dpop_jkt text COLLATE "C",
  CONSTRAINT oidc_requests_pkey PRIMARY KEY (request_hash),
  CONSTRAINT oidc_requests_client_fkey FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE
);
CREATE INDEX oidc_requests_client_idx ON oidc_requests (client_id);
CREATE INDEX oidc_requests_expiry_idx ON oidc_requests (expires_at);
CREATE INDEX oidc_requests_subject_idx ON oidc_requests (subject_hint) WHERE subject_hint IS NOT NULL;

CREATE TABLE oidc_consents (
  account_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  granted_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT oidc_consents_pkey PRIMARY KEY (account_id, client_id),
  CONSTRAINT oidc_consents_client_fkey FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE
);
CREATE INDEX oidc_consents_client_idx ON oidc_consents (client_id);

CREATE TABLE oidc_devices (
  device_hash bytea NOT NULL,
  user_code_hash bytea NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'waiting',
  session_id text COLLATE "C",
  account_id text COLLATE "C",
  tenant_id text COLLATE "C",
  interval_seconds integer NOT NULL,
  polled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT oidc_devices_pkey PRIMARY KEY (device_hash),
  CONSTRAINT oidc_devices_user_code_unique UNIQUE (user_code_hash),
  CONSTRAINT oidc_devices_status_known CHECK (status IN ('waiting', 'approved', 'denied')),
  CONSTRAINT oidc_devices_client_fkey FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE,
  CONSTRAINT oidc_devices_session_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX oidc_devices_client_idx ON oidc_devices (client_id);
CREATE INDEX oidc_devices_expiry_idx ON oidc_devices (expires_at);
CREATE INDEX oidc_devices_session_idx ON oidc_devices (session_id);
CREATE INDEX oidc_devices_tenant_idx ON oidc_devices (tenant_id) WHERE tenant_id IS NOT NULL;

CREATE TABLE oidc_device_guesses (
  session_id text COLLATE "C" NOT NULL,
  failures integer NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT oidc_device_guesses_pkey PRIMARY KEY (session_id),
  CONSTRAINT oidc_device_guesses_session_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX oidc_device_guesses_begin_idx ON oidc_device_guesses (begun_at);

CREATE TABLE oidc_subjects (
  account_id text COLLATE "C" NOT NULL,
  sector text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  CONSTRAINT oidc_subjects_pkey PRIMARY KEY (account_id, sector),
  CONSTRAINT oidc_subjects_subject_unique UNIQUE (subject)
);

CREATE TABLE signal_streams (
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  method text COLLATE "C" NOT NULL,
  endpoint_url text,
  sealed_authorization text,
  events_requested text[] NOT NULL,
  events_delivered text[] NOT NULL,
  description text,
  status text COLLATE "C" NOT NULL DEFAULT 'enabled',
  status_reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  polled_at timestamptz NOT NULL DEFAULT now(),
  verified_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  CONSTRAINT signal_streams_pkey PRIMARY KEY (id),
  CONSTRAINT signal_streams_client_fkey FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE
);
CREATE INDEX signal_streams_client_idx ON signal_streams (client_id, id);
CREATE INDEX signal_streams_polled_idx ON signal_streams (polled_at) WHERE method = 'poll';

CREATE TABLE signal_events (
  id text COLLATE "C" NOT NULL,
  stream_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  subject text COLLATE "C",
  session_id text COLLATE "C",
  details jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT signal_events_pkey PRIMARY KEY (id),
  CONSTRAINT signal_events_stream_fkey FOREIGN KEY (stream_id) REFERENCES signal_streams(id) ON DELETE CASCADE
);
CREATE INDEX signal_events_stream_idx ON signal_events (stream_id, id);
CREATE INDEX signal_events_created_idx ON signal_events (created_at);

CREATE TABLE signal_ended_sessions (
  session_id text COLLATE "C" NOT NULL,
  client_ids text[] COLLATE "C" NOT NULL,
  ended_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT signal_ended_sessions_pkey PRIMARY KEY (session_id)
);
CREATE INDEX signal_ended_sessions_ended_idx ON signal_ended_sessions (ended_at);

CREATE TABLE logout_notices (
  client_id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT logout_notices_pkey PRIMARY KEY (client_id, session_id)
);
CREATE INDEX logout_notices_due_idx ON logout_notices (client_id, due_at);
CREATE INDEX logout_notices_created_idx ON logout_notices (created_at);

-- Webhooks

CREATE TABLE webhook_endpoints (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  description text,
  types text[] COLLATE "C" NOT NULL,
  subject_prefix text COLLATE "C",
  ordering text COLLATE "C" NOT NULL DEFAULT 'none',
  personal_data boolean NOT NULL DEFAULT false,
  signing text COLLATE "C" NOT NULL DEFAULT 'hmac',
  status text COLLATE "C" NOT NULL DEFAULT 'active',
  reason text COLLATE "C",
  paused boolean NOT NULL DEFAULT false,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  probe_at timestamptz,
  sealed_secret text NOT NULL,
  sealed_previous text,
  previous_until timestamptz,
  recover_after bigint,
  recover_from timestamptz,
  recover_at timestamptz,
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  review_at timestamptz,
  recover_until bigint,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX webhook_endpoints_recover_idx ON webhook_endpoints (recover_at) WHERE recover_after IS NOT NULL;
CREATE INDEX webhook_endpoints_deleted_idx ON webhook_endpoints (tenant_id, id) WHERE status = 'deleted';
CREATE INDEX webhook_endpoints_review_idx ON webhook_endpoints (review_at) WHERE review_at IS NOT NULL;
CREATE INDEX webhook_endpoints_previous_idx ON webhook_endpoints (previous_until) WHERE previous_until IS NOT NULL;

CREATE TABLE webhook_deliveries (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  is_test boolean NOT NULL DEFAULT false,
  order_key text COLLATE "C",
  state text COLLATE "C" NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  last_status integer,
  last_error text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT webhook_deliveries_event_key UNIQUE (tenant_id, endpoint_id, event_id),
  CONSTRAINT webhook_deliveries_endpoint_fkey FOREIGN KEY (tenant_id, endpoint_id) REFERENCES webhook_endpoints(tenant_id, id)
);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (tenant_id, endpoint_id, due_at) WHERE state = 'due';
CREATE INDEX webhook_deliveries_lease_idx ON webhook_deliveries (lease_until) WHERE state = 'claimed';
CREATE INDEX webhook_deliveries_order_idx ON webhook_deliveries (tenant_id, endpoint_id, order_key, sequence) WHERE order_key IS NOT NULL AND state IN ('waiting', 'due', 'claimed');
CREATE INDEX webhook_deliveries_list_idx ON webhook_deliveries (tenant_id, endpoint_id, id);
CREATE INDEX webhook_deliveries_created_idx ON webhook_deliveries (created_at);

CREATE TABLE webhook_attempts (
  tenant_id text COLLATE "C" NOT NULL,
  delivery_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  id text COLLATE "C" NOT NULL,
  status integer,
  ms integer NOT NULL,
  error text COLLATE "C",
  excerpt text,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (tenant_id, delivery_id, id)
);
CREATE INDEX webhook_attempts_at_idx ON webhook_attempts (at);

-- Triggers

CREATE TRIGGER accounts_update_member_keys AFTER UPDATE OF first_name, email ON accounts FOR EACH ROW WHEN ((old.first_name IS DISTINCT FROM new.first_name) OR (old.email IS DISTINCT FROM new.email))
  EXECUTE FUNCTION update_member_keys();
CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR TRUNCATE ON audit_events FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_events_deleted_with_tenant AFTER DELETE ON audit_events REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_deletion_of_events();
CREATE TRIGGER members_fill_keys BEFORE INSERT ON members FOR EACH ROW
  EXECUTE FUNCTION fill_member_keys();
CREATE TRIGGER audit_details_unchanged BEFORE UPDATE OR TRUNCATE ON audit_details FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER directory_users_count_added AFTER INSERT ON directory_users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION count_directory_records();
CREATE TRIGGER directory_users_count_bytes AFTER UPDATE OF attributes ON directory_users FOR EACH ROW WHEN (old.attributes IS DISTINCT FROM new.attributes)
  EXECUTE FUNCTION count_directory_bytes();
CREATE TRIGGER directory_users_count_removed AFTER DELETE ON directory_users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION count_directory_records();
CREATE TRIGGER directory_groups_count_added AFTER INSERT ON directory_groups REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION count_directory_records();
CREATE TRIGGER directory_groups_count_bytes AFTER UPDATE OF attributes ON directory_groups FOR EACH ROW WHEN (old.attributes IS DISTINCT FROM new.attributes)
  EXECUTE FUNCTION count_directory_bytes();
CREATE TRIGGER directory_groups_count_removed AFTER DELETE ON directory_groups REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION count_directory_records();
CREATE TRIGGER directory_group_members_count_added AFTER INSERT ON directory_group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION count_directory_memberships();
CREATE TRIGGER directory_group_members_count_removed AFTER DELETE ON directory_group_members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION count_directory_memberships();
`;

const TABLES =
  'webhook_attempts, webhook_deliveries, webhook_endpoints, logout_notices, signal_ended_sessions, signal_events, signal_streams, oidc_subjects, oidc_device_guesses, oidc_devices, oidc_consents, oidc_requests, id_token_keys, connection_changes, setup_links, connection_tests, connection_rules, connection_domains, tenant_domains, connection_certificates, saml_connections, oidc_connections, connections, directory_suspensions, directory_log, directory_rules, directory_group_members, directory_groups, directory_users, directory_tokens, directories, import_requests, erasure_requests, platform_keys, platform_accounts, key_policies, trust_rules, used_assertions, machine_credentials, service_account_roles, service_accounts, connection_keys, external_forms, external_proofs, external_states, external_flows, external_identities, factor_resets, trusted_devices, recovery_codes, spent_ceremonies, passkeys, passkey_users, totp_authenticators, upstream_sessions, impersonations, email_codes, sign_in_challenges, session_evidence, known_networks, one_time_codes, disabled_clients, signing_keys, grants, sessions, satellites, idempotent_responses, audit_details, operators, audit_events, tenant_limits, retired_slugs, brandings, invitations, member_roles, members, roles, tenants, account_exports, email_undos, email_changes, login_throttles, password_resets, pending_registrations, accounts, job_runners, mail_records, outgoing_mails, daily_uses, event_cursors, event_streams, event_entries, events';

const FUNCTIONS =
  'search_key, refuse_change, refuse_deletion_of_events, fill_member_keys, update_member_keys, directory_address_keys, count_directory_records, count_directory_memberships, count_directory_bytes';

export class CreateSchema1795999000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${TABLES}; DROP FUNCTION ${FUNCTIONS}`);
  }
}
