import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Selected, TenantDatabase } from '../../../platform/database/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';
import type { Page } from '../../../platform/api/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { InvitationEntity } from './invitation.entity.js';

/** Status of an invitation. */
export const INVITATION_STATUSES = ['open', 'accepted', 'revoked', 'expired'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

const INVITATION = { id: true, email: true, invitedBy: true, createdAt: true, expiresAt: true } as const;
const PRESENTED = { id: true, tenantId: true, emailKey: true, roleIds: true, invitedBy: true } as const;

export interface Invitation extends Selected<InvitationEntity, typeof INVITATION> {
  readonly roles: string[];
  readonly status: InvitationStatus;
}

/** An invitation as its policy judges it. */
export interface JudgedInvitation {
  readonly id: string;
  readonly status: InvitationStatus;
}

/** An invitation as its acceptance needs it. */
export interface PresentedInvitation extends Selected<InvitationEntity, typeof PRESENTED> {
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
const COLUMNS = `${columnsOf(InvitationEntity, 'i', INVITATION)}, ${STATUS}, ARRAY(
  SELECT r.key FROM roles r WHERE r.tenant_id = i.tenant_id AND r.id = ANY(i.role_ids) ORDER BY r.key) AS roles`;
const OPEN = 'accepted_at IS NULL AND revoked_at IS NULL';

@Injectable()
export class InvitationRepository {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly database: Database,
  ) {}

  /** @returns null if the address has an open invitation already */
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

  /** Revokes an expired invitation, so that the address can be invited again. */
  async revokeExpired(tenantId: TenantId, emailKey: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `UPDATE invitations SET revoked_at = now() WHERE tenant_id = $1 AND email_key = $2 AND ${OPEN} AND expires_at <= now()`,
      [emailKey],
    );
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
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
    await this.tenants.of(InvitationEntity).update(tenantId, { id }, { revokedAt: () => 'now()' });
  }

  async markAccepted(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.of(InvitationEntity).update(tenantId, { id }, { acceptedAt: () => 'now()' });
  }

  /** Locks the invitation of a mailed token, in whichever tenant it is. */
  findPresented(tokenHash: Buffer): Promise<PresentedInvitation | null> {
    return this.database.row<PresentedInvitation>(
      `SELECT ${columnsOf(InvitationEntity, 'i', PRESENTED)}, ${STATUS}
       FROM invitations i WHERE i.token_hash = $1 FOR UPDATE`,
      [tokenHash],
    );
  }

  /** Returns the tenant of a mailed token. Locks nothing. */
  async findTenantId(tokenHash: Buffer): Promise<TenantId | null> {
    const invitation = await this.database
      .repository(InvitationEntity)
      .findOne({ where: { tokenHash }, select: { tenantId: true } });
    return invitation?.tenantId ?? null;
  }

  /** Removes every invitation to an address, in all tenants. */
  async deleteByEmailKey(emailKey: string): Promise<void> {
    await this.database.repository(InvitationEntity).delete({ emailKey });
  }

  /** Keeps invitations for a month after they expire, so that the list shows their status. */
  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'invitations',
      key: 'tenant_id, id',
      when: "expires_at < now() - interval '30 days'",
    });
  }
}
