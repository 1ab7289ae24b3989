import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests of members for a role for some hours, and the longest time of an organization. */
export class AccessRequests1796160000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE access_requests (
        tenant_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        role_id text COLLATE "C" NOT NULL,
        thing text COLLATE "C",
        hours integer NOT NULL,
        reason text NOT NULL,
        status text COLLATE "C" NOT NULL DEFAULT 'pending',
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        decided_at timestamptz,
        decided_by text COLLATE "C",
        until timestamptz,
        CONSTRAINT access_requests_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT access_requests_member_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES members(tenant_id, user_id) ON DELETE CASCADE,
        CONSTRAINT access_requests_role_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES roles(tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT access_requests_status_known CHECK (status IN ('pending', 'approved', 'denied', 'withdrawn', 'expired'))
      );
      CREATE INDEX access_requests_user_idx ON access_requests (tenant_id, user_id, id);
      CREATE INDEX access_requests_status_idx ON access_requests (tenant_id, status, id);
      CREATE INDEX access_requests_role_idx ON access_requests (tenant_id, role_id);
      CREATE INDEX access_requests_expires_at_idx ON access_requests (expires_at);
      CREATE INDEX access_requests_pending_idx ON access_requests (expires_at) WHERE status = 'pending';
      CREATE TABLE access_request_policies (
        tenant_id text COLLATE "C" NOT NULL,
        max_hours integer NOT NULL,
        CONSTRAINT access_request_policies_pkey PRIMARY KEY (tenant_id),
        CONSTRAINT access_request_policies_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE access_request_policies, access_requests');
  }
}
