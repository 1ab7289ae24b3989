import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { batchesOf, type UserId } from '../../kernel/index.js';
import { KeyDerivation } from '../../platform/crypto/index.js';
import { MarkedMethods } from '../../platform/discovery/index.js';
import { ImportedPasswords } from '../accounts/credentials/imported/imported-passwords.js';
import { type ExportedAccount, PeopleExportRepository } from './people-export.repository.js';

/**
 * Reads what a module keeps about these people, for an operator who moves to another system.
 * @returns a value by person; people without one are left out
 */
export type ReadOfPeople = (userIds: readonly UserId[]) => Promise<ReadonlyMap<UserId, unknown>>;

/** Marks a {@link ReadOfPeople} method; the value is the field of the person's line. */
export const ExportedWithPeople = Reflector.createDecorator<string>();

/** Key by which passwords were hashed before bcrypt, in base64. */
export interface PasswordKey {
  readonly id: string;
  readonly key: string;
}

/**
 * Reads all people with their password hashes and the secrets of their second factors, for an
 * operator who moves to another system. The fields are those of the import.
 */
@Injectable()
export class PeopleExport implements OnModuleInit {
  private parts: readonly { readonly field: string; readonly read: ReadOfPeople }[] = [];

  constructor(
    private readonly people: PeopleExportRepository,
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
    for await (const accounts of batchesOf<ExportedAccount>((last) => this.people.list(last?.id ?? '')))
      yield await this.complete(accounts);
  }

  /** The keys without which nothing can compare a password with an exported hash. */
  get passwordKeys(): PasswordKey[] {
    return this.keys.subkeys('password-pepper').map(({ id, key }) => ({ id, key: key.toString('base64') }));
  }

  private async complete(accounts: readonly ExportedAccount[]): Promise<object[]> {
    const ids = accounts.map(({ id }) => id);
    const memberships = await this.people.listMemberships(ids);
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
