import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Partnerships between organizations, and the people who work in the host by them. */
export class Partnerships1796150000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE partnerships (
        id text COLLATE "C" NOT NULL,
        tenant_id text COLLATE "C" NOT NULL,
        partner_id text COLLATE "C",
        status text NOT NULL DEFAULT 'offered',
        email text,
        email_key text COLLATE "C",
        slug text,
        role_ids text[] NOT NULL,
        things text[],
        until timestamptz,
        max_people integer,
        created_at timestamptz NOT NULL DEFAULT now(),
        created_by text COLLATE "C" NOT NULL,
        expires_at timestamptz NOT NULL,
        accepted_at timestamptz,
        over_at timestamptz,
        CONSTRAINT partnerships_pkey PRIMARY KEY (id),
        CONSTRAINT partnerships_status_known CHECK (status IN ('offered', 'active', 'declined', 'ended')),
        CONSTRAINT partnerships_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
      );
      CREATE INDEX partnerships_tenant_idx ON partnerships (tenant_id, id);
      CREATE INDEX partnerships_partner_idx ON partnerships (partner_id, id) WHERE partner_id IS NOT NULL;
      CREATE INDEX partnerships_email_idx ON partnerships (email_key, id) WHERE email_key IS NOT NULL;
      CREATE UNIQUE INDEX partnerships_active_unique ON partnerships (tenant_id, partner_id) WHERE status = 'active';
      CREATE INDEX partnerships_over_idx ON partnerships (coalesce(over_at, least(until, expires_at)));

      CREATE TABLE partner_people (
        partnership_id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        tenant_id text COLLATE "C" NOT NULL,
        role_ids text[] NOT NULL,
        things text[],
        until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        created_by text COLLATE "C" NOT NULL,
        CONSTRAINT partner_people_pkey PRIMARY KEY (partnership_id, user_id),
        CONSTRAINT partner_people_partnership_fkey FOREIGN KEY (partnership_id) REFERENCES partnerships(id) ON DELETE CASCADE
      );
      CREATE INDEX partner_people_user_idx ON partner_people (user_id, tenant_id);
      CREATE INDEX partner_people_until_idx ON partner_people (until) WHERE until IS NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE partner_people; DROP TABLE partnerships');
  }
}
