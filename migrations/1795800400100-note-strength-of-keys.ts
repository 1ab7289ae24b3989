import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Strength of the sign-in by which a person made a key. A key that was made after the grace days of
 * its organization's policy has what the policy asks for; of others it is not known.
 */
export class NoteStrengthOfKeys1795800400100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE machine_credentials ADD COLUMN acr text COLLATE "C";
      UPDATE machine_credentials c SET acr = CASE t.sign_in_policy->>'secondFactor'
          WHEN 'required' THEN 'aal2' WHEN 'phishing_resistant' THEN 'phr' END
        FROM tenants t, members m
        WHERE c.owner_kind = 'person' AND t.id = c.tenant_id AND m.tenant_id = c.tenant_id AND m.user_id = c.owner_id
          AND t.sign_in_policy->>'secondFactor' <> 'optional'
          AND c.created_at >= greatest((t.sign_in_policy->>'secondFactorSince')::timestamptz, m.joined_at)
            + make_interval(days => (t.sign_in_policy->>'graceDays')::int);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE machine_credentials DROP COLUMN acr');
  }
}
