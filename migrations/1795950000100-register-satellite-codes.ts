import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What satellite codes keep to: a client with another property does not have them. */
const MAY_HAVE_CODES = `first_party AND subject_type = 'public' AND tenant_id IS NULL
  AND type = 'confidential' AND token_endpoint_auth_method NOT IN ('none', 'private_key_jwt')
  AND NOT require_par AND NOT require_dpop
  AND grant_types @> '{authorization_code,refresh_token}' AND grant_types <@ '{authorization_code,refresh_token}'`;

/** What only a client of OpenID Connect has: properties of its registration, and traces of use. */
const USES_OPENID = `id_token_alg <> 'RS256' OR post_logout_redirect_uris <> '{}' OR backchannel_logout_uri IS NOT NULL
  OR jwks IS NOT NULL OR jwks_uri IS NOT NULL
  OR client_id IN (SELECT client_id FROM grants WHERE granted_scopes IS NOT NULL)
  OR client_id IN (SELECT client_id FROM oidc_codes)
  OR client_id IN (SELECT client_id FROM oidc_requests)
  OR client_id IN (SELECT client_id FROM oidc_consents)
  OR client_id IN (SELECT client_id FROM oidc_devices)
  OR client_id IN (SELECT client_id FROM signal_streams)`;

/**
 * Makes satellite codes a property of a registration. Clients of the operator that have not used
 * OpenID Connect keep them; what the previous release registers has none, which is noticed.
 */
export class RegisterSatelliteCodes1795950000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE satellites ADD COLUMN satellite_codes boolean NOT NULL DEFAULT false;
      UPDATE satellites SET satellite_codes = true WHERE ${MAY_HAVE_CODES} AND NOT (${USES_OPENID});
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE satellites DROP COLUMN satellite_codes');
  }
}
