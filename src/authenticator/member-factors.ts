import { Injectable } from '@nestjs/common';
import { MemberFactors, type RequiredFactor } from '../iam/index.js';
import { Database } from '../platform/database/index.js';
import type { UserId } from '../kernel/index.js';

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
  constructor(private readonly database: Database) {
    super();
  }

  async findWithout(userIds: readonly UserId[], factor: RequiredFactor): Promise<ReadonlySet<UserId>> {
    const people = await this.database.rows<{ id: UserId }>(
      `SELECT id FROM unnest($1::text[]) person (id) WHERE ${LACKS[factor]}`,
      [userIds],
    );
    return new Set(people.map(({ id }) => id));
  }
}
