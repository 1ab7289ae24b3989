/** Columns that are written and read no more, and wait for the migration that drops them. */
export const UNUSED_COLUMNS = ['saml_connections.waiting_certificates'];

/**
 * Parts of the tables that an entity cannot declare without relations: foreign keys, checks,
 * partial, expression and descending indexes, triggers. As PostgreSQL prints them, by table and
 * name.
 */
export const BEYOND_ENTITIES: Readonly<Record<string, string>> = {
  'roles.roles_keep_name':
    "CREATE TRIGGER roles_keep_name AFTER DELETE ON roles FOR EACH ROW EXECUTE FUNCTION keep_former_name('iam/roles', 'name')",
  'satellites.satellites_keep_name':
    "CREATE TRIGGER satellites_keep_name AFTER DELETE ON satellites FOR EACH ROW EXECUTE FUNCTION keep_former_name('iam/clients', 'name')",
  'apis.apis_keep_name':
    "CREATE TRIGGER apis_keep_name AFTER DELETE ON apis FOR EACH ROW EXECUTE FUNCTION keep_former_name('iam/client-apis', 'name')",
  'connections.connections_keep_name':
    "CREATE TRIGGER connections_keep_name AFTER DELETE ON connections FOR EACH ROW EXECUTE FUNCTION keep_former_name('iam/connections', 'name')",
  'directories.directories_keep_name':
    "CREATE TRIGGER directories_keep_name AFTER DELETE ON directories FOR EACH ROW EXECUTE FUNCTION keep_former_name('iam/directories', 'name')",
  'stations.stations_keep_name':
    "CREATE TRIGGER stations_keep_name AFTER DELETE ON stations FOR EACH ROW EXECUTE FUNCTION keep_former_name('iam/stations', 'name')",
  'tenant_domains.tenant_domains_keep_name':
    "CREATE TRIGGER tenant_domains_keep_name AFTER DELETE ON tenant_domains FOR EACH ROW EXECUTE FUNCTION keep_former_name('iam/domains', 'domain')",
  'service_accounts.service_accounts_keep_name':
    "CREATE TRIGGER service_accounts_keep_name AFTER DELETE ON service_accounts FOR EACH ROW EXECUTE FUNCTION keep_former_name('iam/service-accounts', 'name')",
  'machine_credentials.machine_credentials_keep_name':
    "CREATE TRIGGER machine_credentials_keep_name AFTER DELETE ON machine_credentials FOR EACH ROW WHEN ((old.owner_kind = 'service-account'::text)) EXECUTE FUNCTION keep_former_name('iam/api-keys', 'name')",
  'webhook_endpoints.webhook_endpoints_keep_name':
    "CREATE TRIGGER webhook_endpoints_keep_name AFTER UPDATE OF status ON webhook_endpoints FOR EACH ROW WHEN (((new.status = 'deleted'::text) AND (old.status <> 'deleted'::text))) EXECUTE FUNCTION keep_former_name('webhooks/subscriptions', 'description')",
  'bulk_actions.bulk_actions_running_idx':
    "CREATE INDEX bulk_actions_running_idx ON bulk_actions USING btree (operator_id) WHERE (state = 'running'::text)",
  'accounts.accounts_domain_idx':
    "CREATE INDEX accounts_domain_idx ON accounts USING btree (substr(email_key, (strpos(email_key, '@'::text) + 1)), id) WHERE (email_key IS NOT NULL)",
  'accounts.accounts_import_key_unique':
    'CREATE UNIQUE INDEX accounts_import_key_unique ON accounts USING btree (import_key) WHERE (import_key IS NOT NULL)',
  'accounts.accounts_imported_idx':
    "CREATE INDEX accounts_imported_idx ON accounts USING btree (split_part(password_hash, '$'::text, 2) COLLATE \"C\") WHERE (password_hash ~~ 'f1$%'::text)",
  'accounts.accounts_name_idx':
    'CREATE INDEX accounts_name_idx ON accounts USING btree (search_key(first_name) COLLATE "C", id) WHERE (first_name IS NOT NULL)',
  'accounts.accounts_search_text':
    'CREATE TRIGGER accounts_search_text BEFORE INSERT OR UPDATE OF first_name, last_name, display_name, email ON accounts FOR EACH ROW EXECUTE FUNCTION fill_search_text_of_person()',
  'accounts.accounts_search_idx':
    'CREATE INDEX accounts_search_idx ON accounts USING gin (search_text gin_trgm_ops) WITH (fastupdate=off)',
  'directory_users.directory_users_search_text':
    'CREATE TRIGGER directory_users_search_text BEFORE INSERT OR UPDATE OF user_name_key, email_key, attributes ON directory_users FOR EACH ROW EXECUTE FUNCTION fill_search_text_of_record()',
  'directory_users.directory_users_search_idx':
    'CREATE INDEX directory_users_search_idx ON directory_users USING gin (tenant_id, directory_id, search_text gin_trgm_ops) WITH (fastupdate=off)',
  'accounts.accounts_suspended_idx':
    'CREATE INDEX accounts_suspended_idx ON accounts USING btree (id) WHERE (suspended_at IS NOT NULL)',
  'accounts.accounts_erased_idx':
    'CREATE INDEX accounts_erased_idx ON accounts USING btree (id) WHERE (erased_at IS NOT NULL)',
  'accounts.accounts_erased_is_anonymous':
    'CHECK (((erased_at IS NULL) OR ((email IS NULL) AND (email_key IS NULL) AND (password_hash IS NULL) AND (first_name IS NULL) AND (company IS NULL) AND (country IS NULL))))',
  'accounts.accounts_update_member_keys':
    'CREATE TRIGGER accounts_update_member_keys AFTER UPDATE OF first_name, last_name, display_name, email ON accounts FOR EACH ROW WHEN (((((old.first_name IS DISTINCT FROM new.first_name) OR (old.last_name IS DISTINCT FROM new.last_name)) OR (old.display_name IS DISTINCT FROM new.display_name)) OR (old.email IS DISTINCT FROM new.email))) EXECUTE FUNCTION update_member_keys()',
  'registered_things.registered_things_search_idx':
    'CREATE INDEX registered_things_search_idx ON registered_things USING gin (tenant_id, search_key(name) gin_trgm_ops) WITH (fastupdate=off)',
  'members.members_search_idx':
    'CREATE INDEX members_search_idx ON members USING gin (tenant_id, name_key gin_trgm_ops, address_key gin_trgm_ops) WITH (fastupdate=off)',
  'invitations.invitations_search_idx':
    'CREATE INDEX invitations_search_idx ON invitations USING gin (tenant_id, email_key gin_trgm_ops) WITH (fastupdate=off)',
  'accounts.accounts_forget_names':
    'CREATE TRIGGER accounts_forget_names BEFORE UPDATE OF erased_at ON accounts FOR EACH ROW WHEN ((new.erased_at IS NOT NULL)) EXECUTE FUNCTION forget_names()',
  'account_exports.account_exports_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'audit_details.audit_details_unchanged':
    'CREATE TRIGGER audit_details_unchanged BEFORE UPDATE OR TRUNCATE ON audit_details FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
  'members.members_take_off_partnerships':
    'CREATE CONSTRAINT TRIGGER members_take_off_partnerships AFTER DELETE ON members DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION take_off_partnerships()',
  'audit_details.audit_details_tenant_on_idx':
    "CREATE INDEX audit_details_tenant_on_idx ON audit_details USING btree (((details ->> 'on'::text)), tenant_id, event_id) WHERE ((details ->> 'on'::text) IS NOT NULL)",
  'audit_details.audit_details_on_idx':
    "CREATE INDEX audit_details_on_idx ON audit_details USING btree (((details ->> 'on'::text)), event_id) WHERE ((details ->> 'on'::text) IS NOT NULL)",
  'audit_details.audit_details_tenant_via_idx':
    "CREATE INDEX audit_details_tenant_via_idx ON audit_details USING btree (((details ->> 'via'::text)), tenant_id, event_id) WHERE ((details ->> 'via'::text) IS NOT NULL)",
  'audit_details.audit_details_via_idx':
    "CREATE INDEX audit_details_via_idx ON audit_details USING btree (((details ->> 'via'::text)), event_id) WHERE ((details ->> 'via'::text) IS NOT NULL)",
  'audit_anchors.audit_anchors_append_only':
    'CREATE TRIGGER audit_anchors_append_only BEFORE UPDATE OR TRUNCATE ON audit_anchors FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
  'audit_chains.audit_chains_removable_idx':
    'CREATE INDEX audit_chains_removable_idx ON audit_chains USING btree (tenant_id) WHERE (removed < starts_after)',
  'audit_retentions.audit_retentions_tenant_fkey':
    'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'audit_entries.audit_entries_append_only':
    'CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
  'audit_events.audit_events_append_only':
    'CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
  'audit_events.audit_events_deleted_with_tenant':
    'CREATE TRIGGER audit_events_deleted_with_tenant AFTER DELETE ON audit_events REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion_of_events()',
  'audit_events.audit_events_subject_idx':
    'CREATE INDEX audit_events_subject_idx ON audit_events USING btree (subject, id) WHERE (subject IS NOT NULL)',
  'stations.stations_status_known':
    "CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'locked'::text, 'disabled'::text])))",
  'agent_policies.agent_policies_tenant_fkey':
    'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'agent_policies.agent_policies_any_idx':
    "CREATE INDEX agent_policies_any_idx ON agent_policies USING gin (scopes) WHERE (clients = 'any'::text)",
  'agent_policies.agent_policies_open_idx':
    "CREATE INDEX agent_policies_open_idx ON agent_policies USING btree (id) WHERE (clients = 'any'::text)",
  'agent_policies.agent_policies_listed_idx':
    "CREATE INDEX agent_policies_listed_idx ON agent_policies USING gin (listed, scopes) WHERE (clients = 'listed'::text)",
  'api_clients.api_clients_api_fkey': 'FOREIGN KEY (api_id) REFERENCES apis(id) ON DELETE CASCADE',
  'apis.apis_tenant_fkey': 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'stations.stations_tenant_fkey': 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'stations.stations_user_idx':
    'CREATE INDEX stations_user_idx ON stations USING btree (tenant_id, user_id) WHERE (user_id IS NOT NULL)',
  'partner_people.partner_people_partnership_fkey':
    'FOREIGN KEY (partnership_id) REFERENCES partnerships(id) ON DELETE CASCADE',
  'partner_people.partner_people_until_idx':
    'CREATE INDEX partner_people_until_idx ON partner_people USING btree (until) WHERE (until IS NOT NULL)',
  'partnerships.partnerships_active_unique':
    "CREATE UNIQUE INDEX partnerships_active_unique ON partnerships USING btree (tenant_id, partner_id) WHERE (status = 'active'::text)",
  'partnerships.partnerships_email_idx':
    'CREATE INDEX partnerships_email_idx ON partnerships USING btree (email_key, id) WHERE (email_key IS NOT NULL)',
  'partnerships.partnerships_ends_idx':
    "CREATE INDEX partnerships_ends_idx ON partnerships USING btree (until) WHERE ((status = 'active'::text) AND (until IS NOT NULL))",
  'partnerships.partnerships_over_idx':
    'CREATE INDEX partnerships_over_idx ON partnerships USING btree (COALESCE(over_at, LEAST(until, expires_at)))',
  'partnerships.partnerships_partner_idx':
    'CREATE INDEX partnerships_partner_idx ON partnerships USING btree (partner_id, id) WHERE (partner_id IS NOT NULL)',
  'partnerships.partnerships_status_known':
    "CHECK ((status = ANY (ARRAY['offered'::text, 'active'::text, 'declined'::text, 'ended'::text])))",
  'partnerships.partnerships_tenant_fkey': 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'workers.workers_member_fkey':
    'FOREIGN KEY (tenant_id, user_id) REFERENCES members(tenant_id, user_id) ON DELETE CASCADE',
  'tenants.tenants_search_text':
    'CREATE TRIGGER tenants_search_text BEFORE INSERT OR UPDATE OF name, slug ON tenants FOR EACH ROW EXECUTE FUNCTION fill_search_text_of_tenant()',
  'tenants.tenants_search_idx':
    'CREATE INDEX tenants_search_idx ON tenants USING gin (search_text gin_trgm_ops) WITH (fastupdate=off)',
  'tenants.tenants_name_idx':
    'CREATE INDEX tenants_name_idx ON tenants USING btree (search_key(name) COLLATE "C", id)',
  'audit_events.audit_events_tenant_action_idx':
    'CREATE INDEX audit_events_tenant_action_idx ON audit_events USING btree (tenant_id, action, id) WHERE (tenant_id IS NOT NULL)',
  'audit_events.audit_events_tenant_actor_idx':
    'CREATE INDEX audit_events_tenant_actor_idx ON audit_events USING btree (tenant_id, account_id, id) WHERE (tenant_id IS NOT NULL)',
  'audit_events.audit_events_tenant_subject_idx':
    'CREATE INDEX audit_events_tenant_subject_idx ON audit_events USING btree (tenant_id, subject, id) WHERE (tenant_id IS NOT NULL)',
  'audit_events.audit_events_tenant_idx':
    'CREATE INDEX audit_events_tenant_idx ON audit_events USING btree (tenant_id, id) WHERE (tenant_id IS NOT NULL)',
  'directory_users.directory_users_addresses_idx':
    'CREATE INDEX directory_users_addresses_idx ON directory_users USING gin (directory_address_keys(attributes)) WITH (fastupdate=off)',
  'directory_users.directory_users_unlinked_idx':
    'CREATE INDEX directory_users_unlinked_idx ON directory_users USING btree (email_key) WHERE (account_id IS NULL)',
  'email_changes.email_changes_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'email_undos.email_undos_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'external_identities.external_identities_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'external_states.external_states_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'grants.grants_session_fkey': 'FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE',
  'grants.grants_of_tenant_idx':
    'CREATE INDEX grants_of_tenant_idx ON grants USING btree (tenant_id, id) WHERE (tenant_id IS NOT NULL)',
  'grants.grants_of_agents_idx':
    "CREATE INDEX grants_of_agents_idx ON grants USING btree (tenant_id, client_id) WHERE (strpos(client_id, '://'::text) > 0)",
  'grants.grants_tenant_idx':
    'CREATE INDEX grants_tenant_idx ON grants USING btree (account_id, tenant_id) WHERE ((tenant_id IS NOT NULL) AND (ended_at IS NULL))',
  'signal_events.signal_events_stream_fkey':
    'FOREIGN KEY (stream_id) REFERENCES signal_streams(id) ON DELETE CASCADE',
  'signal_streams.signal_streams_client_fkey':
    'FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE',
  'signal_streams.signal_streams_polled_idx':
    "CREATE INDEX signal_streams_polled_idx ON signal_streams USING btree (polled_at) WHERE (method = 'poll'::text)",
  'impersonations.impersonations_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'impersonations.impersonations_operator_idx':
    'CREATE INDEX impersonations_operator_idx ON impersonations USING btree (operator_id) WHERE (ended_at IS NULL)',
  'impersonations.impersonations_operator_session_idx':
    'CREATE INDEX impersonations_operator_session_idx ON impersonations USING btree (operator_session_id) WHERE (ended_at IS NULL)',
  'invitations.invitations_accepted_idx':
    'CREATE INDEX invitations_accepted_idx ON invitations USING btree (tenant_id, id) WHERE (accepted_at IS NOT NULL)',
  'invitations.invitations_expiry_idx':
    'CREATE INDEX invitations_expiry_idx ON invitations USING btree (expires_at) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL) AND (expiry_noted_at IS NULL))',
  'invitations.invitations_pending_idx':
    'CREATE INDEX invitations_pending_idx ON invitations USING btree (tenant_id, id) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL))',
  'invitations.invitations_revoked_idx':
    'CREATE INDEX invitations_revoked_idx ON invitations USING btree (tenant_id, id) WHERE ((accepted_at IS NULL) AND (revoked_at IS NOT NULL))',
  'invitations.invitations_one_open_idx':
    'CREATE UNIQUE INDEX invitations_one_open_idx ON invitations USING btree (tenant_id, email_key) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL))',
  'invitations.invitations_tenant_fkey': 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'known_networks.known_networks_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'login_throttles.login_throttles_series_idx':
    'CREATE INDEX login_throttles_series_idx ON login_throttles USING btree (series_failed_at) WHERE (series_failures > 0)',
  'mail_records.mail_records_state_known':
    "CHECK ((state = ANY (ARRAY['sent'::text, 'deferred'::text, 'refused'::text])))",
  'member_roles.member_roles_member_fkey':
    'FOREIGN KEY (tenant_id, user_id) REFERENCES members(tenant_id, user_id) ON DELETE CASCADE',
  'member_roles.member_roles_role_fkey': 'FOREIGN KEY (tenant_id, role_id) REFERENCES roles(tenant_id, id)',
  'member_roles.member_roles_source_known':
    "CHECK ((source = ANY (ARRAY['manual'::text, 'connection'::text, 'directory'::text])))",
  'access_requests.access_requests_member_fkey':
    'FOREIGN KEY (tenant_id, user_id) REFERENCES members(tenant_id, user_id) ON DELETE CASCADE',
  'access_requests.access_requests_role_fkey':
    'FOREIGN KEY (tenant_id, role_id) REFERENCES roles(tenant_id, id) ON DELETE CASCADE',
  'access_requests.access_requests_status_known':
    "CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'denied'::text, 'withdrawn'::text, 'expired'::text])))",
  'access_requests.access_requests_pending_idx':
    "CREATE INDEX access_requests_pending_idx ON access_requests USING btree (expires_at) WHERE (status = 'pending'::text)",
  'access_request_policies.access_request_policies_tenant_fkey':
    'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'role_assignments.role_assignments_member_fkey':
    'FOREIGN KEY (tenant_id, user_id) REFERENCES members(tenant_id, user_id) ON DELETE CASCADE',
  'role_assignments.role_assignments_role_fkey':
    'FOREIGN KEY (tenant_id, role_id) REFERENCES roles(tenant_id, id)',
  'role_assignments.role_assignments_ends_idx':
    'CREATE INDEX role_assignments_ends_idx ON role_assignments USING btree (tenant_id, until) WHERE (until IS NOT NULL)',
  'role_assignments.role_assignments_until_idx':
    'CREATE INDEX role_assignments_until_idx ON role_assignments USING btree (until) WHERE (until IS NOT NULL)',
  'role_assignments.role_assignments_notice_idx':
    'CREATE INDEX role_assignments_notice_idx ON role_assignments USING btree (notice_at) WHERE (notice_at IS NOT NULL)',
  'members.members_ends_idx':
    'CREATE INDEX members_ends_idx ON members USING btree (tenant_id, until) WHERE (until IS NOT NULL)',
  'members.members_until_idx':
    'CREATE INDEX members_until_idx ON members USING btree (until) WHERE (until IS NOT NULL)',
  'members.members_notice_idx':
    'CREATE INDEX members_notice_idx ON members USING btree (notice_at) WHERE (notice_at IS NOT NULL)',
  'member_roles.member_roles_ends_idx':
    'CREATE INDEX member_roles_ends_idx ON member_roles USING btree (tenant_id, until) WHERE (until IS NOT NULL)',
  'member_roles.member_roles_until_idx':
    'CREATE INDEX member_roles_until_idx ON member_roles USING btree (until) WHERE (until IS NOT NULL)',
  'member_roles.member_roles_notice_idx':
    'CREATE INDEX member_roles_notice_idx ON member_roles USING btree (notice_at) WHERE (notice_at IS NOT NULL)',
  'members.members_source_known':
    "CHECK ((source = ANY (ARRAY['manual'::text, 'connection'::text, 'directory'::text])))",
  'members.members_status_known': "CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))",
  'members.members_account_fkey': 'FOREIGN KEY (user_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'members.members_fill_keys':
    'CREATE TRIGGER members_fill_keys BEFORE INSERT ON members FOR EACH ROW EXECUTE FUNCTION fill_member_keys()',
  'members.members_tenant_fkey': 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'operators.operators_role_known': "CHECK ((role = ANY (ARRAY['support'::text, 'admin'::text])))",
  'operators.operators_account_fkey': 'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'password_resets.password_resets_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'pending_registrations.pending_registrations_email_idx':
    'CREATE INDEX pending_registrations_email_idx ON pending_registrations USING btree (email_key, created_at DESC)',
  'roles.roles_tenant_fkey': 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'one_time_codes.one_time_codes_client_fkey':
    'FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE',
  'one_time_codes.one_time_codes_client_of_purpose':
    "CHECK (((client_id IS NOT NULL) = (purpose = ANY (ARRAY['satellite'::text, 'openid'::text]))))",
  'one_time_codes.one_time_codes_grant_of_purpose':
    "CHECK (((purpose = ANY (ARRAY['external'::text, 'link'::text])) OR (num_nulls(session_id, redirect_uri, code_challenge, grant_id) = 0)))",
  'one_time_codes.one_time_codes_purpose_known':
    "CHECK ((purpose = ANY (ARRAY['satellite'::text, 'hosted'::text, 'openid'::text, 'external'::text, 'link'::text])))",
  'one_time_codes.one_time_codes_account_idx':
    'CREATE INDEX one_time_codes_account_idx ON one_time_codes USING btree (account_id) WHERE (client_id IS NULL)',
  'one_time_codes.one_time_codes_session_fkey':
    'FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE',
  'one_time_codes.one_time_codes_tenant_idx':
    'CREATE INDEX one_time_codes_tenant_idx ON one_time_codes USING btree (tenant_id) WHERE (tenant_id IS NOT NULL)',
  'oidc_consents.oidc_consents_client_fkey':
    'FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE',
  'oidc_device_guesses.oidc_device_guesses_session_fkey':
    'FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE',
  'oidc_devices.oidc_devices_client_fkey':
    'FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE',
  'oidc_devices.oidc_devices_session_fkey':
    'FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE',
  'oidc_devices.oidc_devices_status_known':
    "CHECK ((status = ANY (ARRAY['waiting'::text, 'approved'::text, 'denied'::text])))",
  'oidc_devices.oidc_devices_tenant_idx':
    'CREATE INDEX oidc_devices_tenant_idx ON oidc_devices USING btree (tenant_id) WHERE (tenant_id IS NOT NULL)',
  'oidc_requests.oidc_requests_client_fkey':
    'FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE',
  'oidc_requests.oidc_requests_subject_idx':
    'CREATE INDEX oidc_requests_subject_idx ON oidc_requests USING btree (subject_hint) WHERE (subject_hint IS NOT NULL)',
  'saml_clients.saml_clients_client_fkey':
    'FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE',
  'saml_client_keys.saml_client_keys_client_fkey':
    'FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE',
  'saml_requests.saml_requests_client_fkey':
    'FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE',
  'saml_sessions.saml_sessions_client_fkey':
    'FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE',
  'saml_sessions.saml_sessions_session_fkey':
    'FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE',
  'satellites.satellites_tenant_fkey': 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'satellites.satellites_post_logout_idx':
    'CREATE INDEX satellites_post_logout_idx ON satellites USING gin (post_logout_redirect_uris)',
  'satellites.satellites_documents_idx':
    'CREATE INDEX satellites_documents_idx ON satellites USING btree (document_fetched_at) WHERE (document_fetched_at IS NOT NULL)',
  'satellites.satellites_saml_idx':
    "CREATE INDEX satellites_saml_idx ON satellites USING btree (id) WHERE (protocol = 'saml'::text)",
  'satellites.satellites_own_idx':
    'CREATE INDEX satellites_own_idx ON satellites USING btree (client_id) WHERE (first_party AND (tenant_id IS NULL))',
  'satellites.satellites_inherited_idx':
    'CREATE INDEX satellites_inherited_idx ON satellites USING btree (client_id) WHERE scopes_inherited',
  'sessions.sessions_account_fkey': 'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'sessions.sessions_ended_idx':
    'CREATE INDEX sessions_ended_idx ON sessions USING btree (ended_at) WHERE (ended_at IS NOT NULL)',
  'tenants.tenants_former_slugs_idx':
    'CREATE INDEX tenants_former_slugs_idx ON tenants USING gin (former_slugs)',
  'tenants.tenants_other_connections_idx':
    'CREATE INDEX tenants_other_connections_idx ON tenants USING btree (id) WHERE (NOT other_connections_told)',
  'tenants.tenants_deletion_idx':
    'CREATE INDEX tenants_deletion_idx ON tenants USING btree (deletes_at, id) WHERE (deletes_at IS NOT NULL)',
  'tenants.tenants_deletion_requested':
    'CHECK (((deletes_at IS NULL) OR (deletion_requested_by IS NOT NULL)))',
  'tenants.tenants_deletion_scheduled': 'CHECK (((deletion_started_at IS NULL) OR (deletes_at IS NOT NULL)))',
  'passkey_users.passkey_users_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'passkeys.passkeys_account_fkey': 'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'recovery_codes.recovery_codes_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'sign_in_challenges.sign_in_challenges_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'totp_authenticators.totp_authenticators_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'erasure_requests.erasure_requests_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'factor_resets.factor_resets_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'factor_resets.factor_resets_pending_idx':
    'CREATE UNIQUE INDEX factor_resets_pending_idx ON factor_resets USING btree (account_id) WHERE (ended_at IS NULL)',
  'trusted_devices.trusted_devices_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE',
  'session_evidence.session_evidence_session_fkey':
    'FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE',
  'upstream_sessions.upstream_sessions_session_fkey':
    'FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE',
  'totp_authenticators.totp_authenticators_unconfirmed_idx':
    'CREATE INDEX totp_authenticators_unconfirmed_idx ON totp_authenticators USING btree (created_at) WHERE (confirmed_at IS NULL)',
  'webhook_deliveries.webhook_deliveries_due_idx':
    "CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries USING btree (tenant_id, endpoint_id, due_at) WHERE (state = 'due'::text)",
  'webhook_deliveries.webhook_deliveries_endpoint_fkey':
    'FOREIGN KEY (tenant_id, endpoint_id) REFERENCES webhook_endpoints(tenant_id, id)',
  'webhook_deliveries.webhook_deliveries_lease_idx':
    "CREATE INDEX webhook_deliveries_lease_idx ON webhook_deliveries USING btree (lease_until) WHERE (state = 'claimed'::text)",
  'webhook_deliveries.webhook_deliveries_order_idx':
    "CREATE INDEX webhook_deliveries_order_idx ON webhook_deliveries USING btree (tenant_id, endpoint_id, order_key, sequence) WHERE ((order_key IS NOT NULL) AND (state = ANY (ARRAY['waiting'::text, 'due'::text, 'claimed'::text])))",
  'webhook_endpoints.webhook_endpoints_deleted_idx':
    "CREATE INDEX webhook_endpoints_deleted_idx ON webhook_endpoints USING btree (tenant_id, id) WHERE (status = 'deleted'::text)",
  'webhook_endpoints.webhook_endpoints_failing_idx':
    "CREATE INDEX webhook_endpoints_failing_idx ON webhook_endpoints USING btree (tenant_id, id) WHERE (status = 'failing'::text)",
  'webhook_endpoints.webhook_endpoints_previous_idx':
    'CREATE INDEX webhook_endpoints_previous_idx ON webhook_endpoints USING btree (previous_until) WHERE (previous_until IS NOT NULL)',
  'webhook_endpoints.webhook_endpoints_recover_idx':
    'CREATE INDEX webhook_endpoints_recover_idx ON webhook_endpoints USING btree (recover_at) WHERE (recover_after IS NOT NULL)',
  'webhook_endpoints.webhook_endpoints_review_idx':
    'CREATE INDEX webhook_endpoints_review_idx ON webhook_endpoints USING btree (review_at) WHERE (review_at IS NOT NULL)',
  'connections.connections_tenant_fkey': 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'tenant_domains.tenant_domains_tenant_fkey':
    'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'setup_links.setup_links_tenant_fkey': 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'connection_domains.connection_domains_domain_fkey':
    'FOREIGN KEY (tenant_id, domain_id) REFERENCES tenant_domains(tenant_id, id)',
  'tenant_domains.tenant_domains_verified_idx':
    "CREATE UNIQUE INDEX tenant_domains_verified_idx ON tenant_domains USING btree (domain) WHERE (status = 'verified'::text)",
  'tenant_domains.tenant_domains_check_idx':
    "CREATE INDEX tenant_domains_check_idx ON tenant_domains USING btree (checked_at) WHERE (status = 'verified'::text)",
  'saml_connections.saml_connections_fetch_idx':
    'CREATE INDEX saml_connections_fetch_idx ON saml_connections USING btree (next_fetch_at) WHERE (next_fetch_at IS NOT NULL)',
  'connection_certificates.connection_certificates_warn_idx':
    'CREATE INDEX connection_certificates_warn_idx ON connection_certificates USING btree (warn_at) WHERE (warn_at IS NOT NULL)',
  'connection_tests.connection_tests_creator_idx':
    'CREATE INDEX connection_tests_creator_idx ON connection_tests USING btree (created_by) WHERE (created_by IS NOT NULL)',
  'oidc_connections.oidc_connections_connection_fkey':
    'FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE',
  'saml_connections.saml_connections_connection_fkey':
    'FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE',
  'connection_certificates.connection_certificates_connection_fkey':
    'FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE',
  'connection_domains.connection_domains_connection_fkey':
    'FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE',
  'connection_rules.connection_rules_connection_fkey':
    'FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE',
  'connection_tests.connection_tests_connection_fkey':
    'FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE',
  'connection_changes.connection_changes_connection_fkey':
    'FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE',
  'setup_links.setup_links_connection_fkey':
    'FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, id) ON DELETE CASCADE',
  'setup_links.setup_links_directory_fkey':
    'FOREIGN KEY (tenant_id, directory_id) REFERENCES directories(tenant_id, id) ON DELETE CASCADE',
  'directories.directories_tenant_fkey': 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'directory_tokens.directory_tokens_directory_fkey':
    'FOREIGN KEY (tenant_id, directory_id) REFERENCES directories(tenant_id, id) ON DELETE CASCADE',
  'directory_users.directory_users_directory_fkey':
    'FOREIGN KEY (tenant_id, directory_id) REFERENCES directories(tenant_id, id) ON DELETE CASCADE',
  'directory_groups.directory_groups_directory_fkey':
    'FOREIGN KEY (tenant_id, directory_id) REFERENCES directories(tenant_id, id) ON DELETE CASCADE',
  'directory_rules.directory_rules_directory_fkey':
    'FOREIGN KEY (tenant_id, directory_id) REFERENCES directories(tenant_id, id) ON DELETE CASCADE',
  'directory_group_members.directory_group_members_group_fkey':
    'FOREIGN KEY (tenant_id, directory_id, group_id) REFERENCES directory_groups(tenant_id, directory_id, id) ON DELETE CASCADE',
  'directory_group_members.directory_group_members_user_fkey':
    'FOREIGN KEY (tenant_id, directory_id, user_id) REFERENCES directory_users(tenant_id, directory_id, id) ON DELETE CASCADE',
  'directory_users.directory_users_count_added':
    'CREATE TRIGGER directory_users_count_added AFTER INSERT ON directory_users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_directory_records()',
  'directory_users.directory_users_count_removed':
    'CREATE TRIGGER directory_users_count_removed AFTER DELETE ON directory_users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_directory_records()',
  'directory_users.directory_users_count_bytes':
    'CREATE TRIGGER directory_users_count_bytes AFTER UPDATE OF attributes ON directory_users FOR EACH ROW WHEN ((old.attributes IS DISTINCT FROM new.attributes)) EXECUTE FUNCTION count_directory_bytes()',
  'directory_groups.directory_groups_count_added':
    'CREATE TRIGGER directory_groups_count_added AFTER INSERT ON directory_groups REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_directory_records()',
  'directory_groups.directory_groups_count_removed':
    'CREATE TRIGGER directory_groups_count_removed AFTER DELETE ON directory_groups REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_directory_records()',
  'directory_groups.directory_groups_count_bytes':
    'CREATE TRIGGER directory_groups_count_bytes AFTER UPDATE OF attributes ON directory_groups FOR EACH ROW WHEN ((old.attributes IS DISTINCT FROM new.attributes)) EXECUTE FUNCTION count_directory_bytes()',
  'directory_group_members.directory_group_members_count_added':
    'CREATE TRIGGER directory_group_members_count_added AFTER INSERT ON directory_group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_directory_memberships()',
  'directory_group_members.directory_group_members_count_removed':
    'CREATE TRIGGER directory_group_members_count_removed AFTER DELETE ON directory_group_members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_directory_memberships()',
  'directory_users.directory_users_waiting_idx':
    "CREATE INDEX directory_users_waiting_idx ON directory_users USING btree (tenant_id, id) WHERE (reason = 'invitation-waits'::text)",
  'outgoing_mails.outgoing_mails_unsolicited_idx':
    'CREATE INDEX outgoing_mails_unsolicited_idx ON outgoing_mails USING btree (recipient_key, created_at) WHERE unsolicited',
  'tenant_limits.tenant_limits_tenant_fkey':
    'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'directory_tokens.directory_tokens_expiry_idx':
    'CREATE INDEX directory_tokens_expiry_idx ON directory_tokens USING btree (expires_at) WHERE (expires_at IS NOT NULL)',
  'directory_tokens.directory_tokens_warning_idx':
    'CREATE INDEX directory_tokens_warning_idx ON directory_tokens USING btree (warn_at) WHERE (warn_at IS NOT NULL)',
  'directory_suspensions.directory_suspensions_kind_known':
    "CHECK ((kind = ANY (ARRAY['account'::text, 'member'::text])))",
  'directory_users.directory_users_external_active_idx':
    'CREATE UNIQUE INDEX directory_users_external_active_idx ON directory_users USING btree (tenant_id, directory_id, external_id) WHERE active',
  'directory_users.directory_users_account_idx':
    'CREATE UNIQUE INDEX directory_users_account_idx ON directory_users USING btree (account_id, directory_id) WHERE (account_id IS NOT NULL)',
  'platform_accounts.platform_accounts_role_known':
    "CHECK ((role = ANY (ARRAY['support'::text, 'admin'::text])))",
  'platform_keys.platform_keys_warning_idx':
    'CREATE INDEX platform_keys_warning_idx ON platform_keys USING btree (warn_at) WHERE (warn_at IS NOT NULL)',
  'platform_keys.platform_keys_account_fkey':
    'FOREIGN KEY (account_id) REFERENCES platform_accounts(id) ON DELETE CASCADE',
  'service_accounts.service_accounts_tenant_fkey':
    'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'service_account_roles.service_account_roles_account_fkey':
    'FOREIGN KEY (tenant_id, account_id) REFERENCES service_accounts(tenant_id, id) ON DELETE CASCADE',
  'service_account_roles.service_account_roles_role_fkey':
    'FOREIGN KEY (tenant_id, role_id) REFERENCES roles(tenant_id, id)',
  'brandings.brandings_tenant_fkey': 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'key_policies.key_policies_tenant_fkey': 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'ended_keys.ended_keys_account_fkey':
    'FOREIGN KEY (tenant_id, account_id) REFERENCES service_accounts(tenant_id, id) ON DELETE CASCADE',
  'trust_rules.trust_rules_account_fkey':
    'FOREIGN KEY (tenant_id, account_id) REFERENCES service_accounts(tenant_id, id) ON DELETE CASCADE',
  'machine_credentials.machine_credentials_tenant_fkey':
    'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE',
  'machine_credentials.machine_credentials_person_idx':
    "CREATE INDEX machine_credentials_person_idx ON machine_credentials USING btree (owner_id, tenant_id) WHERE (owner_kind = 'person'::text)",
  'machine_credentials.machine_credentials_expiry_idx':
    'CREATE INDEX machine_credentials_expiry_idx ON machine_credentials USING btree (expires_at) WHERE (expires_at IS NOT NULL)',
  'machine_credentials.machine_credentials_warning_idx':
    'CREATE INDEX machine_credentials_warning_idx ON machine_credentials USING btree (warn_at) WHERE (warn_at IS NOT NULL)',
};
