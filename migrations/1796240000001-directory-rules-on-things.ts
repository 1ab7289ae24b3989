import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rules of directories that give roles on things, and which roles on things they gave. */
export class DirectoryRulesOnThings1796240000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE directory_rules ADD COLUMN things text[];
      ALTER TABLE role_assignments ADD COLUMN source text COLLATE "C" DEFAULT 'manual' NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE role_assignments DROP COLUMN source;
      ALTER TABLE directory_rules DROP COLUMN things;`);
  }
}
