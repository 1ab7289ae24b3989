import { Injectable } from '@nestjs/common';
import { Database, TenantDatabase } from '../../../platform/database/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';
import type { Page } from '../../../platform/api/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';

/** What became of an invitation. */
export const INVITATION_STATUSES = ['open', 'accepted', 'revoked', 'expired'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly roles: string[];
  readonly status: InvitationStatus;
  readonly invitedBy: UserId;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** An invitation as its policy judges it. */
export interface JudgedInvitation {
  readonly id: string;
  readonly status: InvitationStatus;
}

/** An invitation as whoever accepts it needs it. */
export interface PresentedInvitation {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly emailKey: string;
  readonly roleIds: string[];
  readonly invitedBy: UserId;
  readonly status: InvitationStatus;
}

interface NewInvitation {
  readonly id: string;
  readonly email: string;
  readonly emailKey: string;
  readonly roleIds: readonly string[];
  readonly tokenHash: Buffer;
  readonly invitedBy: UserId;
  readonly lifetimeSeconds: number;
}

const STATUS = `CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted' WHEN i.revoked_at IS NOT NULL THEN 'revoked'
  WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END AS status`;
const COLUMNS = `i.id, i.email, i.invited_by AS "invitedBy", i.created_at AS "createdAt", i.expires_at AS "expiresAt", ${STATUS}, ARRAY(
  SELECT r.key FROM roles r WHERE r.tenant_id = i.tenant_id AND r.id = ANY(i.role_ids) ORDER BY r.key) AS roles`;
const OPEN = 'accepted_at IS NULL AND revoked_at IS NULL';

@Injectable()
export class InvitationRepository {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly database: Database,
  ) {}

  /** Answers null where the address has an open invitation already. */
  async insert(tenantId: TenantId, invitation: NewInvitation): Promise<Invitation | null> {
    const { id, email, emailKey, roleIds, tokenHash, invitedBy, lifetimeSeconds } = invitation;
    return this.tenants.row(
      tenantId,
      `WITH i AS (
         INSERT INTO invitations (tenant_id, id, email, email_key, role_ids, token_hash, invited_by, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))
         ON CONFLICT (tenant_id, email_key) WHERE ${OPEN} DO NOTHING RETURNING *)
       SELECT ${COLUMNS} FROM i`,
      [id, email, emailKey, roleIds, tokenHash, invitedBy, lifetimeSeconds],
    );
  }

  /** Makes room for a new invitation of an address whose last one has run out. */
  async revokeExpired(tenantId: TenantId, emailKey: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `UPDATE invitations SET revoked_at = now() WHERE tenant_id = $1 AND email_key = $2 AND ${OPEN} AND expires_at <= now()`,
      [emailKey],
    );
  }

  /** In order of id; one more than the limit, if there are that many. */
  list(tenantId: TenantId, { limit, after }: Page): Promise<Invitation[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM invitations i WHERE tenant_id = $1 AND ($2::text IS NULL OR i.id > $2) ORDER BY i.id LIMIT $3`,
      [after, limit + 1],
    );
  }

  findJudged(tenantId: TenantId, ids: readonly string[], lock: boolean): Promise<JudgedInvitation[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT i.id, ${STATUS} FROM invitations i WHERE tenant_id = $1 AND i.id = ANY($2) ${lock ? 'FOR UPDATE OF i' : ''}`,
      [ids],
    );
  }

  async revoke(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      'UPDATE invitations SET revoked_at = now() WHERE tenant_id = $1 AND id = $2',
      [id],
    );
  }

  async markAccepted(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      'UPDATE invitations SET accepted_at = now() WHERE tenant_id = $1 AND id = $2',
      [id],
    );
  }

  /** By the mailed token, which alone says which tenant it is. Waits for whoever is changing the invitation. */
  findPresented(tokenHash: Buffer): Promise<PresentedInvitation | null> {
    return this.database.row<PresentedInvitation>(
      `SELECT i.id, i.tenant_id AS "tenantId", i.email_key AS "emailKey", i.role_ids AS "roleIds", i.invited_by AS "invitedBy", ${STATUS}
       FROM invitations i WHERE i.token_hash = $1 FOR UPDATE`,
      [tokenHash],
    );
  }

  /** The tenant that a mailed token leads to, without waiting. */
  async findTenantId(tokenHash: Buffer): Promise<TenantId | null> {
    const row = await this.database.row<{ tenantId: TenantId }>(
      'SELECT tenant_id AS "tenantId" FROM invitations WHERE token_hash = $1',
      [tokenHash],
    );
    return row?.tenantId ?? null;
  }

  /** Removes every invitation to an address, in whatever tenant. */
  async deleteByEmailKey(emailKey: string): Promise<void> {
    await this.database.rows('DELETE FROM invitations WHERE email_key = $1', [emailKey]);
  }

  /** The list shows what became of an invitation for a month. */
  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'invitations',
      key: 'tenant_id, id',
      when: "expires_at < now() - interval '30 days'",
    });
  }
}
