import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { KeyDerivation } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { MarkedMethods } from '../../platform/discovery/index.js';
import { nameColumns, type PersonName } from '../accounts/person-name.js';
import { ImportedPasswords } from '../accounts/credentials/imported/imported-passwords.js';
import { ExportedWithPeople, type ReadOfPeople } from './exported-with-people.decorator.js';
import { ROLE_ENDS_OF_M, ROLE_KEYS_OF_M } from '../organizations/members/member-sql.js';

/** People that are read at once. */
const BATCH = 500;

interface ExportedAccount extends PersonName {
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

/** Key by which passwords were hashed before bcrypt, in base64. */
export interface PasswordKey {
  readonly id: string;
  readonly key: string;
}

const ACCOUNTS = `SELECT id, email, ${nameColumns('a')}, company, country, locale, password_hash AS "passwordHash",
    created_at AS "createdAt", suspended_at AS "suspendedAt"
  FROM accounts a WHERE id > $1 AND erased_at IS NULL ORDER BY id LIMIT ${BATCH}`;
const MEMBERSHIPS = `SELECT m.user_id AS "userId", m.tenant_id AS "tenantId", m.status, m.until,
    ${ROLE_KEYS_OF_M} AS roles, ${ROLE_ENDS_OF_M} AS "roleEnds"
  FROM members m WHERE m.user_id = ANY($1) ORDER BY m.tenant_id`;

/**
 * Reads all people with their password hashes and the secrets of their second factors, for an
 * operator who moves to another system. The fields are those of the import.
 */
@Injectable()
export class PeopleExport implements OnModuleInit {
  private parts: readonly { readonly field: string; readonly read: ReadOfPeople }[] = [];

  constructor(
    private readonly database: Database,
    private readonly keys: KeyDerivation,
    private readonly methods: MarkedMethods,
    private readonly imported: ImportedPasswords,
  ) {}

  onModuleInit(): void {
    const marked = this.methods.find<string, ReadOfPeople>(ExportedWithPeople);
    this.parts = marked.map(({ mark, method }) => ({ field: mark, read: method }));
  }

  /** Reads the people in order of id, some at a time. */
  async *read(): AsyncGenerator<object[]> {
    let last = '';
    for (;;) {
      const accounts = await this.database.rows<ExportedAccount>(ACCOUNTS, [last]);
      if (accounts.length === 0) return;
      yield await this.complete(accounts);
      last = accounts.at(-1)?.id ?? '';
    }
  }

  /** The keys without which nothing can compare a password with an exported hash. */
  get passwordKeys(): PasswordKey[] {
    return this.keys.subkeys('password-pepper').map(({ id, key }) => ({ id, key: key.toString('base64') }));
  }

  private async complete(accounts: readonly ExportedAccount[]): Promise<object[]> {
    const ids = accounts.map(({ id }) => id);
    const memberships = await this.database.rows<ExportedMembership>(MEMBERSHIPS, [ids]);
    const parts = await Promise.all(
      this.parts.map(async ({ field, read }) => ({ field, values: await read(ids) })),
    );
    return accounts.map(({ id, email, suspendedAt, passwordHash, ...account }) => ({
      externalId: id,
      email,
      emailVerified: email !== null,
      ...account,
      passwordHash: this.imported.readable(passwordHash),
      suspendedAt,
      memberships: memberships
        .filter(({ userId }) => userId === id)
        .map(({ tenantId, status, roles, until, roleEnds }) => ({
          tenantId,
          status,
          roles,
          until,
          roleEnds,
        })),
      ...Object.fromEntries(
        parts.filter(({ values }) => values.has(id)).map(({ field, values }) => [field, values.get(id)]),
      ),
    }));
  }
}
