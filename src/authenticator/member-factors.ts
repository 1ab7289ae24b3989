import { Injectable } from '@nestjs/common';
import { type FactorCounts, MemberFactors, type RequiredFactor } from '../iam/index.js';
import { Database, TenantDatabase } from '../platform/database/index.js';
import type { TenantId, UserId } from '../kernel/index.js';

const PASSKEY = 'EXISTS (SELECT 1 FROM passkeys p WHERE p.account_id = person.id)';
const APP =
  'EXISTS (SELECT 1 FROM totp_authenticators t WHERE t.account_id = person.id AND t.confirmed_at IS NOT NULL)';

/** Whether a `person` does not have the factor. */
const LACKS: Readonly<Record<RequiredFactor, string>> = {
  required: `NOT (${PASSKEY} OR ${APP})`,
  phishing_resistant: `NOT ${PASSKEY}`,
};

/** Finds which members have no second factor. */
@Injectable()
export class OwnMemberFactors extends MemberFactors {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {
    super();
  }

  async count(tenantId: TenantId, factor: RequiredFactor, max: number): Promise<FactorCounts> {
    const counts = await this.tenants.row<FactorCounts>(
      tenantId,
      `SELECT count(*)::int AS members, (count(*) FILTER (WHERE ${LACKS[factor]}))::int AS without
       FROM (SELECT user_id AS id FROM members WHERE tenant_id = $1 LIMIT $2) person`,
      [max],
    );
    return counts ?? { members: 0, without: 0 };
  }

  async findWithout(userIds: readonly UserId[], factor: RequiredFactor): Promise<ReadonlySet<UserId>> {
    const people = await this.database.rows<{ id: UserId }>(
      `SELECT id FROM unnest($1::text[]) person (id) WHERE ${LACKS[factor]}`,
      [userIds],
    );
    return new Set(people.map(({ id }) => id));
  }
}
