import { Injectable } from '@nestjs/common';
import { notEnded } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database, prepared, TenantDatabase } from '../../platform/database/index.js';

const IS_VERIFIED = prepared(
  "SELECT 1 FROM tenant_domains WHERE tenant_id = $1 AND domain = $2 AND status = 'verified'",
);

/** What other modules know of the people of records. An address proves nothing (ADR 45). */
@Injectable()
export class PersonRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Finds the account that signs in by a connection with a subject. */
  async findBySubject(connectionId: string, issuer: string, subject: string): Promise<UserId | null> {
    const row = await this.database.row<{ userId: UserId }>(
      `SELECT account_id AS "userId" FROM external_identities WHERE connection_id = $1 AND issuer = $2 AND subject = $3`,
      [connectionId, issuer, subject],
    );
    return row?.userId ?? null;
  }

  /** Returns whether the organization has verified the domain of an address. */
  async isVerified(tenantId: TenantId, emailKey: string): Promise<boolean> {
    const domain = emailKey.slice(emailKey.lastIndexOf('@') + 1);
    return (await this.tenants.row(tenantId, IS_VERIFIED, [domain])) !== null;
  }

  /** Lists the connections of the organization. */
  async listConnectionIds(tenantId: TenantId): Promise<string[]> {
    const sql = 'SELECT id FROM connections WHERE tenant_id = $1';
    return (await this.tenants.rows<{ id: string }>(tenantId, sql)).map(({ id }) => id);
  }

  /** Finds the member who has accepted an invitation of the organization to the address. */
  async findInvited(tenantId: TenantId, emailKey: string): Promise<UserId | null> {
    const row = await this.tenants.row<{ userId: UserId }>(
      tenantId,
      `SELECT a.id AS "userId" FROM accounts a JOIN members m ON m.user_id = a.id
       WHERE m.tenant_id = $1 AND a.email_key = $2 AND ${notEnded('m')} AND EXISTS (
         SELECT 1 FROM invitations i WHERE i.tenant_id = $1 AND i.email_key = $2 AND i.accepted_at IS NOT NULL)`,
      [emailKey],
    );
    return row?.userId ?? null;
  }
}
