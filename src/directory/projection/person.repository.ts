import { Injectable } from '@nestjs/common';
import { notEnded } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { prepared, TenantDatabase } from '../../platform/database/index.js';

const IS_VERIFIED = prepared(
  "SELECT 1 FROM tenant_domains WHERE tenant_id = $1 AND domain = $2 AND status = 'verified'",
);

const BY_SUBJECT = prepared(`SELECT i.account_id AS "userId" FROM connections c
  LEFT JOIN oidc_connections o ON o.tenant_id = c.tenant_id AND o.connection_id = c.id
  LEFT JOIN saml_connections s ON s.tenant_id = c.tenant_id AND s.connection_id = c.id
  JOIN external_identities i ON i.connection_id = c.id AND i.issuer = COALESCE(o.issuer, s.entity_id) AND i.subject = $3
  WHERE c.tenant_id = $1 AND c.id = $2`);

/** What other modules know of the people of records. An address proves nothing (ADR 45). */
@Injectable()
export class PersonRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Finds the account that signs in by a connection of the organization with a subject. */
  async findBySubject(tenantId: TenantId, connectionId: string, subject: string): Promise<UserId | null> {
    const row = await this.tenants.row<{ userId: UserId }>(tenantId, BY_SUBJECT, [connectionId, subject]);
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
    return this.tenants.values<string>(tenantId, sql);
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
