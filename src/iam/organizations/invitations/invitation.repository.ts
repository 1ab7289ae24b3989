import { Injectable } from '@nestjs/common';
import {
  anywhere,
  findAnyPart,
  isSearchedAnywhere,
  columnsOf,
  Database,
  prepared,
  type Selected,
  TenantDatabase,
} from '../../../platform/database/index.js';
import { NamedInTrail, type NamedThing } from '../../audit/named-in-trail.decorator.js';
import { OWNER } from '../roles/role-scopes.js';
import { RemovesExpired } from '../../../platform/cleanup/index.js';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { MailLink, type SentLink } from '../../../platform/mail/index.js';
import { type Orders, type SortedPage, TEXT_KEY, ULID_KEY } from '../../../platform/api/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { InvitationEntity, type InvitationStatus } from './invitation.entity.js';

/** Orders of the list. Ids are in the order of creation. */
export const INVITATION_ORDERS = {
  keys: { createdAt: ULID_KEY, email: TEXT_KEY },
  byDefault: 'createdAt',
} as const satisfies Orders;

export type InvitationPage = SortedPage<keyof typeof INVITATION_ORDERS.keys>;

/** Conditions of the list. */
export interface InvitationFilter {
  /** Any part of the address, or its beginning: see {@link isSearchedAnywhere}. */
  readonly query: string | null;
  readonly status: InvitationStatus | null;
}

const INVITATION = { id: true, email: true, invitedBy: true, createdAt: true, expiresAt: true } as const;
const PRESENTED = {
  id: true,
  tenantId: true,
  email: true,
  emailKey: true,
  roleIds: true,
  invitedBy: true,
  expiresAt: true,
} as const;

export interface Invitation extends Selected<InvitationEntity, typeof INVITATION> {
  readonly roles: string[];
  readonly status: InvitationStatus;
}

/** An invitation in a list, with the value by which it is sorted. */
export interface ListedInvitation extends Invitation {
  readonly sortKey: string;
}

/** An invitation as its policy judges it. */
export interface JudgedInvitation extends Pick<InvitationEntity, 'id' | 'roleIds'> {
  readonly status: InvitationStatus;
  /** Whether it gives the role of an owner. */
  readonly makesOwner: boolean;
  /** Whether a role that it gives has been deleted. */
  readonly lacksRole: boolean;
}

/** An invitation as its acceptance and its preview need it. */
export interface PresentedInvitation extends Selected<InvitationEntity, typeof PRESENTED> {
  readonly status: InvitationStatus;
}

interface NewInvitation extends Pick<
  InvitationEntity,
  'id' | 'email' | 'emailKey' | 'roleIds' | 'tokenHash' | 'invitedBy' | 'ofSupport'
> {
  readonly lifetimeSeconds: number;
}

const STATUS = `CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted' WHEN i.revoked_at IS NOT NULL THEN 'revoked'
  WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END AS status`;
const OPEN = 'accepted_at IS NULL AND revoked_at IS NULL';
const ROLES_OF_I = 'SELECT r.key FROM roles r WHERE r.tenant_id = i.tenant_id AND r.id = ANY(i.role_ids)';
const COLUMNS = `${columnsOf(InvitationEntity, 'i', INVITATION)}, ${STATUS}, ARRAY(${ROLES_OF_I} ORDER BY r.key) AS roles`;
const JUDGED = `i.id, ${STATUS}, i.role_ids AS "roleIds", '${OWNER}' IN (${ROLES_OF_I}) AS "makesOwner",
  cardinality(i.role_ids) > (SELECT count(*) FROM (${ROLES_OF_I}) kept) AS "lacksRole"`;

/** Condition of each status, which an index answers. */
const HAVING_STATUS: Readonly<Record<InvitationStatus, string>> = {
  accepted: 'i.accepted_at IS NOT NULL',
  revoked: 'i.accepted_at IS NULL AND i.revoked_at IS NOT NULL',
  expired: `${OPEN} AND i.expires_at <= now()`,
  open: `${OPEN} AND i.expires_at > now()`,
};

/** What a list shows and is sorted by. */
const MATCHED_COLUMNS =
  'tenant_id, id, email, email_key, role_ids, invited_by, created_at, expires_at, accepted_at, revoked_at';

/** Conditions of a list, with their parameters from $2 on. */
interface Matching {
  readonly within: string;
  /** Condition of a search for any part; null for none. */
  readonly match: string | null;
  readonly parameters: unknown[];
}

function matching({ query, status }: InvitationFilter): Matching {
  const ofStatus = `i.tenant_id = $1 ${status === null ? '' : `AND ${HAVING_STATUS[status]}`}`;
  if (query === null) return { within: ofStatus, match: null, parameters: [] };
  const text = query.toLowerCase();
  if (isSearchedAnywhere(text))
    return { within: ofStatus, match: 'i.email_key LIKE $2', parameters: [anywhere(text)] };
  const begins = 'i.email_key >= $2 AND i.email_key < $2 || chr(1114111)';
  return { within: `${ofStatus} AND ${begins}`, match: null, parameters: [text] };
}

/** Invitations to organizations. */
@Injectable()
// Keeps invitations for a month after they expire, so that the list shows their status.
@RemovesExpired({
  table: 'invitations',
  key: 'tenant_id, id',
  when: "expires_at < now() - interval '30 days'",
})
export class InvitationRepository {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly database: Database,
  ) {}

  /** @returns null if the address has an open invitation already */
  async insert(tenantId: TenantId, invitation: NewInvitation): Promise<Invitation | null> {
    const { id, email, emailKey, roleIds, tokenHash, invitedBy, ofSupport, lifetimeSeconds } = invitation;
    return this.tenants.row(
      tenantId,
      `WITH i AS (
         INSERT INTO invitations (tenant_id, id, email, email_key, role_ids, token_hash, invited_by, of_support, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9))
         ON CONFLICT (tenant_id, email_key) WHERE ${OPEN} DO NOTHING RETURNING *)
       SELECT ${COLUMNS} FROM i`,
      [id, email, emailKey, roleIds, tokenHash, invitedBy, ofSupport, lifetimeSeconds],
    );
  }

  /**
   * Revokes an expired invitation, so that the address can be invited again.
   * @returns its id if its expiry was not noted before
   */
  async revokeExpired(tenantId: TenantId, emailKey: string): Promise<string | null> {
    const row = await this.tenants.row<{ id: string; isNoted: boolean }>(
      tenantId,
      `UPDATE invitations SET revoked_at = now() WHERE tenant_id = $1 AND email_key = $2 AND ${OPEN} AND expires_at <= now()
       RETURNING id, expiry_noted_at IS NOT NULL AS "isNoted"`,
      [emailKey],
    );
    return row && !row.isNoted ? row.id : null;
  }

  /** Notes the expiry of invitations. @returns those whose expiry was not noted before */
  noteExpired(limit: number): Promise<{ readonly tenantId: TenantId; readonly id: string }[]> {
    return this.database.rows(
      `UPDATE invitations SET expiry_noted_at = now() WHERE (tenant_id, id) IN (
         SELECT tenant_id, id FROM invitations WHERE ${OPEN} AND expiry_noted_at IS NULL AND expires_at <= now()
         ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING tenant_id AS "tenantId", id`,
      [limit],
    );
  }

  /** Returns the open invitation of an address; null without one. */
  async findOpenId(tenantId: TenantId, emailKey: string): Promise<string | null> {
    const sql = `SELECT id FROM invitations WHERE tenant_id = $1 AND email_key = $2 AND ${OPEN} LIMIT 1`;
    return (await this.tenants.row<{ id: string }>(tenantId, sql, [emailKey]))?.id ?? null;
  }

  /** Returns a page, and one row more if there is a next page. */
  list(tenantId: TenantId, page: InvitationPage, filter: InvitationFilter): Promise<ListedInvitation[]> {
    const { within: conditions, match, parameters } = matching(filter);
    const column = page.sort === 'email' ? 'i.email_key' : 'i.id';
    const [direction, beyond] = page.descending ? ['DESC', '<'] : ['ASC', '>'];
    const bind = (parameter: unknown): string => `$${parameters.push(parameter) + 1}`;
    const after = page.after
      ? `AND (${column}, i.id) ${beyond} (${bind(page.after.key)}, ${bind(page.after.id)})`
      : '';
    const within = `${conditions} ${after}`;
    const order = `${column} ${direction}, i.id ${direction}`;
    const limit = bind(page.limit + 1);
    const found =
      match === null
        ? `SELECT i.* FROM invitations i WHERE ${within}`
        : findAnyPart({ table: 'invitations i', columns: MATCHED_COLUMNS, within, match, order, limit });
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS}, ${column} AS "sortKey" FROM (${found}) i ORDER BY ${order} LIMIT ${limit}`,
      parameters,
    );
  }

  /** Counts the invitations that match, up to `max` and one more. */
  async count(tenantId: TenantId, filter: InvitationFilter, max: number): Promise<number> {
    const { within, match, parameters } = matching(filter);
    const row = await this.tenants.row<{ count: number }>(
      tenantId,
      `SELECT count(*)::int AS count FROM (SELECT 1 FROM invitations i WHERE ${within} AND ${match ?? 'true'} LIMIT ${max + 1}) i`,
      parameters,
    );
    return row?.count ?? 0;
  }

  find(tenantId: TenantId, id: string): Promise<Invitation | null> {
    const sql = `SELECT ${COLUMNS} FROM invitations i WHERE i.tenant_id = $1 AND i.id = $2`;
    return this.tenants.row(tenantId, sql, [id]);
  }

  findJudged(tenantId: TenantId, ids: readonly string[], lock: boolean): Promise<JudgedInvitation[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${JUDGED} FROM invitations i WHERE tenant_id = $1 AND i.id = ANY($2) ${lock ? 'FOR UPDATE OF i' : ''}`,
      [ids],
    );
  }

  /**
   * Gives an invitation a new token and lifetime. The caller becomes the member who sent it.
   * @returns null if it does not exist
   */
  async renew(
    tenantId: TenantId,
    id: string,
    {
      tokenHash,
      invitedBy,
      lifetimeSeconds,
    }: Pick<NewInvitation, 'tokenHash' | 'invitedBy' | 'lifetimeSeconds'>,
  ): Promise<(Invitation & { readonly emailKey: string }) | null> {
    return this.tenants.row(
      tenantId,
      `UPDATE invitations i SET token_hash = $3, invited_by = $4, of_support = false, expires_at = now() + make_interval(secs => $5), expiry_noted_at = NULL
       WHERE tenant_id = $1 AND i.id = $2 AND ${OPEN} RETURNING ${COLUMNS}, i.email_key AS "emailKey"`,
      [id, tokenHash, invitedBy, lifetimeSeconds],
    );
  }

  async revoke(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.of(InvitationEntity).update(tenantId, { id }, { revokedAt: () => 'now()' });
  }

  /**
   * Revokes the open invitations of a person's address to tenants.
   * @returns those that were open
   */
  revokeOfPerson(
    userId: UserId,
    tenantIds: readonly TenantId[],
  ): Promise<{ readonly tenantId: TenantId; readonly id: string }[]> {
    return this.tenants.rowsOfEach(
      tenantIds,
      prepared(`UPDATE invitations i SET revoked_at = now() FROM accounts a, unnest($1::text[]) asked (tenant_id)
       WHERE a.id = $2 AND i.tenant_id = asked.tenant_id AND i.email_key = a.email_key AND ${OPEN} AND i.expires_at > now()
       RETURNING i.tenant_id AS "tenantId", i.id`),
      [userId],
    );
  }

  /**
   * Revokes the open invitations that support has sent.
   * @returns their ids
   */
  revokeOfSupport(tenantId: TenantId): Promise<string[]> {
    return this.tenants.values(
      tenantId,
      `UPDATE invitations i SET revoked_at = now()
       WHERE i.tenant_id = $1 AND i.of_support AND ${OPEN} AND i.expires_at > now() RETURNING i.id`,
    );
  }

  /** Deletes an invitation whose mail was not sent. */
  async delete(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.of(InvitationEntity).delete(tenantId, { id });
  }

  async markAccepted(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.of(InvitationEntity).update(tenantId, { id }, { acceptedAt: () => 'now()' });
  }

  /**
   * Returns the invitation of a mailed token, in whichever tenant it is.
   * @param lock FOR UPDATE
   */
  findPresented(tokenHash: Buffer, lock: boolean): Promise<PresentedInvitation | null> {
    return this.database.row<PresentedInvitation>(
      `SELECT ${columnsOf(InvitationEntity, 'i', PRESENTED)}, ${STATUS}
       FROM invitations i WHERE i.token_hash = $1 ${lock ? 'FOR UPDATE' : ''}`,
      [tokenHash],
    );
  }

  @MailLink('invitation')
  async isMailOfUse({ token }: SentLink): Promise<boolean> {
    return (await this.findPresented(hashOneTimeToken(token), false))?.status === 'open';
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

  /** Returns the names of those that exist. */
  @NamedInTrail({ collection: 'iam/invitations', scope: 'iam:invitation:read' })
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    return this.tenants.listNames('invitations', tenantIds, ids, 'a.email');
  }
}
