import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { nameColumns, type PersonName } from '../accounts/person-name.js';
import { ROLE_ENDS_OF_M, ROLE_KEYS_OF_M } from '../organizations/members/member-sql.js';

/** People that are read at once. */
const BATCH = 500;

export interface ExportedAccount extends PersonName {
  readonly id: UserId;
  readonly email: string | null;
  readonly company: string | null;
  readonly country: string | null;
  readonly locale: string | null;
  readonly passwordHash: string | null;
  readonly createdAt: Date;
  readonly suspendedAt: Date | null;
}

interface ExportedMembership {
  readonly userId: UserId;
  readonly tenantId: string;
  readonly status: string;
  readonly roles: readonly string[];
  readonly until: Date | null;
  readonly roleEnds: readonly { readonly key: string; readonly until: string }[];
}

const ACCOUNTS = `SELECT id, email, ${nameColumns('a')}, company, country, locale, password_hash AS "passwordHash",
    created_at AS "createdAt", suspended_at AS "suspendedAt"
  FROM accounts a WHERE id > $1 AND erased_at IS NULL ORDER BY id LIMIT ${BATCH}`;
const MEMBERSHIPS = `SELECT m.user_id AS "userId", m.tenant_id AS "tenantId", m.status, m.until,
    ${ROLE_KEYS_OF_M} AS roles, ${ROLE_ENDS_OF_M} AS "roleEnds"
  FROM members m WHERE m.user_id = ANY($1) ORDER BY m.tenant_id`;

/** People with their memberships, for an export of everything. */
@Injectable()
export class PeopleExportRepository {
  constructor(private readonly database: Database) {}

  /** Returns the next people in order of id. */
  list(after: string): Promise<ExportedAccount[]> {
    return this.database.rows<ExportedAccount>(ACCOUNTS, [after]);
  }

  listMemberships(userIds: readonly UserId[]): Promise<ExportedMembership[]> {
    return this.database.rows<ExportedMembership>(MEMBERSHIPS, [userIds]);
  }
}
