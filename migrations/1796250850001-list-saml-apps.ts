import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators list the apps that speak SAML, which are few among the clients. */
export class ListSamlApps1796250850001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("CREATE INDEX satellites_saml_idx ON satellites (id) WHERE protocol = 'saml'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX satellites_saml_idx');
  }
}
