import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { RegisterSatelliteCodes1795950000100 } from '../../migrations/1795950000100-register-satellite-codes.js';
import { createDatabase } from '../support/test-app.js';

/** Clients of before the migration: their properties, and what they have done since. */
const CLIENTS: Readonly<Record<string, readonly [isKept: boolean, set: string, trace?: string]>> = {
  'unused client of the operator': [true, 'first_party = true'],
  'satellite of the operator in use': [true, 'first_party = true', 'a grant of satellite codes'],
  'third party that has never signed in': [false, 'first_party = false'],
  'third party that took satellite codes': [
    false,
    "first_party = false, scopes = '{*}'",
    'a grant of satellite codes',
  ],
  'client that has signed people in by OpenID Connect': [
    false,
    'first_party = true',
    'a grant of OpenID Connect',
  ],
  'client of which a sign-in waits': [false, 'first_party = true', 'a request'],
  'client with a stream of signals': [false, 'first_party = true', 'a stream'],
  'client with a consent': [false, 'first_party = true', 'a consent'],
  'client with pairwise subjects': [false, "first_party = true, subject_type = 'pairwise'"],
  'public client': [false, "first_party = true, type = 'public', token_endpoint_auth_method = 'none'"],
  'client that pushes its requests': [false, 'first_party = true, require_par = true'],
  'client that binds its tokens': [false, 'first_party = true, require_dpop = true'],
  'client for devices': [
    false,
    "first_party = true, grant_types = '{authorization_code,refresh_token,urn:ietf:params:oauth:grant-type:device_code}'",
  ],
  'client without refreshes': [false, "first_party = true, grant_types = '{authorization_code}'"],
  'client with a logout': [false, "first_party = true, post_logout_redirect_uris = '{https://a.example/}'"],
  'client with a back channel': [false, "first_party = true, backchannel_logout_uri = 'https://a.example/'"],
};

const GRANT = `INSERT INTO grants (id, session_id, account_id, client_id, idle_expires_at, granted_scopes)
  VALUES ($1, 's', 'a', $1, now(),`;
const TRACES: Readonly<Record<string, string>> = {
  'a grant of satellite codes': `${GRANT} NULL)`,
  'a grant of OpenID Connect': `${GRANT} '{openid}')`,
  'a request': `INSERT INTO oidc_requests (request_hash, client_id, redirect_uri, scopes, code_challenge, prompts, pushed, expires_at)
    VALUES ('\\x01', $1, 'https://a.example/', '{openid}', 'x', '{}', false, now())`,
  'a stream': `INSERT INTO signal_streams (id, client_id, method, events_delivered, events_requested)
    VALUES ('s', $1, 'poll', '{}', '{}')`,
  'a consent': "INSERT INTO oidc_consents (account_id, client_id, scopes) VALUES ('a', $1, '{openid}')",
};

describe('The migration to satellite codes', () => {
  it('keeps them for clients of the operator that have not used OpenID Connect', async () => {
    const client = new Client({ connectionString: await createDatabase() });
    await client.connect();
    try {
      const runner = { query: (sql: string) => client.query(sql) } as unknown as QueryRunner;
      const migration = new RegisterSatelliteCodes1795950000100();
      await migration.down(runner);
      await client.query("INSERT INTO accounts (id) VALUES ('a')");
      await client.query(
        "INSERT INTO sessions (id, account_id, amr, expires_at) VALUES ('s', 'a', '{pwd}', now() + interval '1 day')",
      );
      for (const [name, [, set, trace]] of Object.entries(CLIENTS)) {
        await client.query(
          "INSERT INTO satellites (id, client_id, name, redirect_uris, secret_hash) VALUES ($1, $1, 'x', '{https://a.example/}', '')",
          [name],
        );
        await client.query(`UPDATE satellites SET ${set} WHERE id = $1`, [name]);
        if (trace !== undefined) await client.query(TRACES[trace] ?? '', [name]);
      }
      await migration.up(runner);
      const { rows } = await client.query<{ id: string; kept: boolean }>(
        'SELECT id, satellite_codes AS kept FROM satellites',
      );
      const kept = Object.fromEntries(rows.map((row) => [row.id, row.kept]));
      expect(kept).toEqual(
        Object.fromEntries(Object.entries(CLIENTS).map(([name, [isKept]]) => [name, isKept])),
      );
    } finally {
      await client.end();
    }
  });
});
