import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts what senders send: mails of organizations, changes of address and new organizations of a
 * person, by day. Marks mails that strangers can cause, which count together for their recipient,
 * and finds records of directories whose invitation waits.
 */
export class CreateBudgetsOfSenders1795970000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE daily_uses (
        kind text COLLATE "C" NOT NULL,
        holder text COLLATE "C" NOT NULL,
        day date NOT NULL,
        used int NOT NULL,
        CONSTRAINT daily_uses_pkey PRIMARY KEY (kind, holder, day)
      ) WITH (fillfactor = 50);
      CREATE INDEX daily_uses_day_idx ON daily_uses (day);
      CREATE TABLE tenant_limits (
        tenant_id text COLLATE "C" NOT NULL
          CONSTRAINT tenant_limits_pkey PRIMARY KEY
          CONSTRAINT tenant_limits_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        mails_per_day int,
        open_invitations int
      );
      ALTER TABLE outgoing_mails ADD COLUMN unsolicited boolean NOT NULL DEFAULT false;
      CREATE INDEX outgoing_mails_unsolicited_idx ON outgoing_mails (recipient_key, created_at) WHERE unsolicited;
      CREATE INDEX directory_users_waiting_idx ON directory_users (tenant_id, id) WHERE reason = 'invitation-waits';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX directory_users_waiting_idx;
      DROP INDEX outgoing_mails_unsolicited_idx;
      ALTER TABLE outgoing_mails DROP COLUMN unsolicited;
      DROP TABLE tenant_limits;
      DROP TABLE daily_uses;
    `);
  }
}
