import { Injectable } from '@nestjs/common';
import { ManagedAddresses } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';

const MANAGED = `SELECT 1 FROM directory_users u JOIN accounts a ON a.id = u.account_id
    JOIN tenant_domains d ON d.tenant_id = u.tenant_id AND d.domain = split_part(a.email_key, '@', -1)
  WHERE u.account_id = $1 AND u.made_account AND d.status = 'verified'
    AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = $1 AND m.tenant_id <> u.tenant_id) LIMIT 1`;

/**
 * Knows the accounts that directories manage: made by the directory, with an address in a verified
 * domain of its organization, of a person who is a member of no other one.
 */
@Injectable()
export class ManagedAccounts extends ManagedAddresses {
  constructor(private readonly database: Database) {
    super();
  }

  async isManaged(userId: UserId): Promise<boolean> {
    return (await this.database.row(MANAGED, [userId])) !== null;
  }
}
