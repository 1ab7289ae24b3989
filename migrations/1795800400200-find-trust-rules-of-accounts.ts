import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An exchange that names its account reads the rules of that account alone. */
export class FindTrustRulesOfAccounts1795800400200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX trust_rules_account_idx ON trust_rules (account_id, issuer)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX trust_rules_account_idx');
  }
}
