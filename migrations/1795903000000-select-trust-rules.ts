import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the rules of a token by one exact value that a rule asks for: the longest, cut because an
 * entry of an index has a size; the empty text for a rule of patterns alone. An exchange without an
 * account then reads the rules of others for the same issuer no longer.
 */
export class SelectTrustRules1795903000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION trust_rule_selector(conditions jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT coalesce((array_agg(left(c.claim || '=' || c.pattern, 200) ORDER BY length(c.pattern) DESC, c.claim COLLATE "C"))[1], '')
        FROM jsonb_each_text(conditions) AS c (claim, pattern) WHERE strpos(c.pattern, '*') = 0 $$;
      CREATE INDEX trust_rules_selector_idx ON trust_rules (issuer, (trust_rule_selector(conditions) COLLATE "C"));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX trust_rules_selector_idx');
    await runner.query('DROP FUNCTION trust_rule_selector');
  }
}
