import { Injectable } from '@nestjs/common';
import { ConnectionDirectory } from '../../connection/index.js';
import { notEnded } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database, prepared, TenantDatabase } from '../../platform/database/index.js';
import type { DirectoryEntity } from '../directories/directory.entity.js';
import type { Attributes } from '../scim/attributes.js';

const IS_VERIFIED = prepared(
  "SELECT 1 FROM tenant_domains WHERE tenant_id = $1 AND domain = $2 AND status = 'verified'",
);

/** Finds out who the person of a record is. An address alone proves nothing (ADR 45). */
@Injectable()
export class PersonLookup {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly connections: ConnectionDirectory,
  ) {}

  /** Finds the account that signs in by the connection of the directory with the same subject. */
  async findBySubject(directory: DirectoryEntity, attributes: Attributes): Promise<UserId | null> {
    const subject = attributes[directory.matchAttribute];
    if (directory.connectionId === null || typeof subject !== 'string') return null;
    const connection = await this.connections.find(directory.connectionId);
    if (connection?.tenantId !== directory.tenantId) return null;
    const issuer = connection.kind === 'oidc' ? connection.settings.issuer : connection.settings.entityId;
    const row = await this.database.row<{ userId: UserId }>(
      `SELECT account_id AS "userId" FROM external_identities WHERE connection_id = $1 AND issuer = $2 AND subject = $3`,
      [connection.id, issuer, subject],
    );
    return row?.userId ?? null;
  }

  /** Returns whether the organization has verified the domain of an address. */
  async isVerified({ tenantId }: DirectoryEntity, emailKey: string): Promise<boolean> {
    const domain = emailKey.slice(emailKey.lastIndexOf('@') + 1);
    return (await this.tenants.row(tenantId, IS_VERIFIED, [domain])) !== null;
  }

  /** Lists the connections of the organization. */
  async connectionsOf({ tenantId }: DirectoryEntity): Promise<string[]> {
    const sql = 'SELECT id FROM connections WHERE tenant_id = $1';
    return (await this.tenants.rows<{ id: string }>(tenantId, sql)).map(({ id }) => id);
  }

  /** Finds the member who has accepted an invitation of the organization to the address. */
  async findInvited({ tenantId }: DirectoryEntity, emailKey: string): Promise<UserId | null> {
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
