import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/index.js';
import type { SignInPolicy, TenantId, UserId } from '../kernel/index.js';
import { countsIn } from './factor-scope.js';

const PASSKEY = `EXISTS (SELECT 1 FROM passkeys WHERE account_id = person.id AND ${countsIn('$2')})`;
const APP = `EXISTS (
  SELECT 1 FROM totp_authenticators WHERE account_id = person.id AND confirmed_at IS NOT NULL AND ${countsIn('$2')})`;

/** A second factor that a policy requires. */
type RequiredFactor = Exclude<SignInPolicy['secondFactor'], 'optional'>;

/** Whether a `person` does not have the factor. */
const LACKS: Readonly<Record<RequiredFactor, string>> = {
  required: `NOT (${PASSKEY} OR ${APP})`,
  phishing_resistant: `NOT ${PASSKEY}`,
};

/** Finds which members have no second factor. */
@Injectable()
export class MemberFactorRepository {
  constructor(private readonly database: Database) {}

  /** Returns the members, of these, who have no such factor that counts in the organization. */
  async findWithout(
    tenantId: TenantId,
    userIds: readonly UserId[],
    factor: RequiredFactor,
  ): Promise<ReadonlySet<UserId>> {
    const people = await this.database.rows<{ id: UserId }>(
      `SELECT id FROM unnest($1::text[]) person (id) WHERE ${LACKS[factor]}`,
      [userIds, [tenantId]],
    );
    return new Set(people.map(({ id }) => id));
  }
}
