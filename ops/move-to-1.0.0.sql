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

TRUNCATE schema_migrations;
INSERT INTO schema_migrations (timestamp, name) VALUES (1795999000000, 'CreateSchema1795999000000');
