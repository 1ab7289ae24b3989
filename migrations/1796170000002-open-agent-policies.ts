import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds whether any organization allows each client by metadata document (ADR 69). */
export class OpenAgentPolicies1796170000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX agent_policies_open_idx ON agent_policies (id) WHERE clients = 'any'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX agent_policies_open_idx');
  }
}
