import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the connection to the key of an external identity. Providers of the environment are the
 * connections `env:<kind>`. The previous release names no connection: a trigger adds it, and its
 * `ON CONFLICT ON CONSTRAINT` finds the new constraint by the name of the old one.
 */
export class KeyIdentitiesByConnection1795678000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE external_identities ADD COLUMN connection_id text COLLATE "C" NOT NULL DEFAULT '';
      UPDATE external_identities SET connection_id = 'env:' || kind;
      ALTER TABLE external_identities
        DROP CONSTRAINT external_identities_subject_unique,
        ADD CONSTRAINT external_identities_subject_unique UNIQUE (connection_id, issuer, subject);
      CREATE FUNCTION fill_identity_connection() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.connection_id := 'env:' || NEW.kind;
          RETURN NEW;
        END
      $$;
      CREATE TRIGGER external_identities_fill_connection BEFORE INSERT ON external_identities
        FOR EACH ROW WHEN (NEW.connection_id = '') EXECUTE FUNCTION fill_identity_connection();
    `);
  }

  /** Identities of organizations' connections go: the key before could not tell them apart. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER external_identities_fill_connection ON external_identities;
      DROP FUNCTION fill_identity_connection();
      DELETE FROM external_identities WHERE connection_id <> 'env:' || kind;
      ALTER TABLE external_identities
        DROP COLUMN connection_id,
        ADD CONSTRAINT external_identities_subject_unique UNIQUE (kind, issuer, subject);
    `);
  }
}
