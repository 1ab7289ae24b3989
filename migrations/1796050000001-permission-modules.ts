import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the permissions of other services, which operators register. */
export class PermissionModules1796050000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE permission_modules (
      module text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      title text NOT NULL,
      permissions jsonb NOT NULL,
      updated_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT permission_modules_pkey PRIMARY KEY (module)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE permission_modules');
  }
}
