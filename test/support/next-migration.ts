import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A migration that the next release may contain by the rules of docs/operating.md, next to replicas
 * of this one.
 */
export const NEXT_MIGRATION = `
  ALTER TABLE accounts ADD COLUMN pronouns text;
  ALTER TABLE sessions ADD COLUMN device text NOT NULL DEFAULT 'unknown';
  ALTER TABLE members ADD COLUMN note text CONSTRAINT members_note_says_something CHECK (note <> '');
  CREATE TABLE account_notes (
    id text COLLATE "C" NOT NULL CONSTRAINT account_notes_pkey PRIMARY KEY,
    account_id text COLLATE "C" NOT NULL CONSTRAINT account_notes_account_fkey REFERENCES accounts ON DELETE CASCADE
  );
  CREATE INDEX account_notes_account_idx ON account_notes (account_id);
  CREATE INDEX grants_client_idx ON grants (client_id);`;

export class Next9999999999999 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(NEXT_MIGRATION);
  }

  async down(): Promise<void> {}
}
