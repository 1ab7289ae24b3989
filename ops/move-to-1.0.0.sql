-- Moves a database of a build before 1.0.0 to the schema of 1.0.0, once. All replicas are stopped;
-- docs/operating.md says how to run it. One transaction: it happens whole or not at all.

DO $$ BEGIN
  IF to_regclass('schema_migrations') IS NULL
    OR NOT EXISTS (SELECT FROM schema_migrations WHERE name = 'RememberSuspensionsOfDirectories1795990000000') THEN
    RAISE EXCEPTION 'This database has not the last schema before 1.0.0. Start the last build before 1.0.0 once, or keep the database as it is.';
  END IF;
END $$;

-- The first keys at identity providers, where no sign-in has copied them yet.
INSERT INTO connection_keys (kid, kind, certificate, sealed_private_key, signs_from)
  SELECT 'saml-' || substr(md5(certificate), 1, 22), 'saml', certificate, sealed_private_key, now() FROM saml_keys
  WHERE NOT EXISTS (SELECT FROM connection_keys WHERE kind = 'saml');
INSERT INTO connection_keys (kid, kind, sealed_private_key, signs_from)
  SELECT kid, 'oidc', sealed_private_key, now() FROM oidc_client_keys
  WHERE NOT EXISTS (SELECT FROM connection_keys WHERE kind = 'oidc');
DROP TABLE saml_keys, oidc_client_keys;

ALTER TABLE sessions DROP COLUMN factor_owed;
DROP TRIGGER external_identities_fill_connection ON external_identities;
DROP FUNCTION fill_identity_connection();
ALTER TABLE external_identities ALTER COLUMN connection_id DROP DEFAULT;

-- Impersonations that began in no known session of their operator: end the sessions they are.
UPDATE sessions SET ended_at = now() FROM impersonations i
  WHERE sessions.id = i.id AND i.operator_session_id IS NULL AND sessions.ended_at IS NULL;
UPDATE impersonations SET operator_session_id = '', ended_at = coalesce(ended_at, now()) WHERE operator_session_id IS NULL;
ALTER TABLE impersonations ALTER COLUMN operator_session_id SET NOT NULL;

-- Addresses of records whose user name is the only one.
UPDATE directory_users SET email_key = user_name_key
  WHERE email_key IS NULL AND user_name_key LIKE '%_@_%' AND NOT attributes ? 'emails';

DROP INDEX trust_rules_selector_idx;
DROP FUNCTION trust_rule_selector(jsonb);

ALTER TABLE directory_tokens ADD COLUMN stopped_at timestamptz;
ALTER TABLE saml_connections ADD COLUMN authn_instant_max_age integer, ADD COLUMN sso_binding text;
ALTER TABLE external_identities ADD COLUMN followed_name text;

-- One table of codes of one use; sign-ins that are under way go on.
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
INSERT INTO one_time_codes (code_hash, purpose, client_id, session_id, account_id, tenant_id, redirect_uri, code_challenge, scopes, nonce, dpop_jkt, grant_id, expires_at, consumed_at)
  SELECT code_hash, 'openid', client_id, session_id, account_id, tenant_id, redirect_uri, code_challenge, scopes, nonce, dpop_jkt,
    coalesce(grant_id, upper(substr(encode(code_hash, 'hex'), 1, 26))), expires_at, consumed_at FROM oidc_codes
  UNION ALL SELECT code_hash, CASE WHEN client_id IS NULL THEN 'hosted' ELSE 'satellite' END, client_id, session_id, account_id, tenant_id, redirect_uri,
    code_challenge, NULL, NULL, NULL, upper(substr(encode(code_hash, 'hex'), 1, 26)), expires_at, consumed_at FROM satellite_codes;
INSERT INTO one_time_codes (code_hash, purpose, session_id, account_id, code_challenge, content, expires_at, consumed_at)
  SELECT code_hash, 'external', s.id, c.account_id, code_challenge,
    jsonb_build_object('kind', kind, 'connectionId', connection_id, 'upstream', upstream, 'isTwoFactor', is_two_factor), c.expires_at, consumed_at
  FROM external_codes c LEFT JOIN sessions s ON s.id = c.session_id
  UNION ALL SELECT code_hash, 'link', s.id, c.account_id, NULL, to_jsonb(sealed), c.expires_at, NULL
  FROM external_link_codes c LEFT JOIN sessions s ON s.id = c.session_id WHERE c.session_id = '' OR s.id IS NOT NULL;
DROP TABLE oidc_codes, satellite_codes, external_codes, external_link_codes;

TRUNCATE schema_migrations;
INSERT INTO schema_migrations (timestamp, name) VALUES (1795999000000, 'CreateSchema1795999000000');
