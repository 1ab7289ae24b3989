import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import {
  columnsOf,
  Database,
  type EntityRepository,
  prepared,
  type Selected,
} from '../../platform/database/index.js';
import type { Locked, UserId } from '../../kernel/index.js';
import { namesOfGiven } from '../audit/audit.declarations.js';
import { AccountEntity } from './account.entity.js';
import { nameColumns, NO_NAME, PERSON_NAME, type PersonName } from './person-name.js';

const PROFILE = {
  id: true,
  email: true,
  ...PERSON_NAME,
  company: true,
  country: true,
  marketingOptIn: true,
  locale: true,
  createdAt: true,
} as const;
const ACCOUNT = {
  ...PROFILE,
  passwordHash: true,
  passwordVersion: true,
  suspendedAt: true,
  importKey: true,
} as const;

/** Part of an account that its owner sees. */
export type Profile = Selected<AccountEntity, typeof PROFILE>;
export type Account = Selected<AccountEntity, typeof ACCOUNT>;

/** An account that the open transaction has locked. */
export type LockedAccount = Account & { readonly id: Locked<UserId> };

/** Account that was found by its address. */
export interface AddressedAccount extends Account {
  readonly email: string;
}

/** What a person is called. */
export interface NamedAccount extends PersonName, Pick<Account, 'id' | 'email'> {
  readonly isErased: boolean;
}

/** An account, and another one that has the address which it asks for; null without one. */
interface WithHolder {
  readonly own: LockedAccount | null;
  readonly holder: (AddressedAccount & LockedAccount) | null;
}

export type ProfileChanges = Partial<Omit<Profile, 'id' | 'email' | 'createdAt'>>;

const COLUMNS = columnsOf(AccountEntity, '', ACCOUNT);
/** Incremented by the database, so that concurrent changes count each. */
const NEXT_VERSION = () => 'password_version + 1';
const EXISTS = 'erased_at IS NULL';
const ACTIVE = `${EXISTS} AND suspended_at IS NULL`;
const LOCK_ACTIVE = prepared(`SELECT 1 FROM accounts WHERE id = $1 AND ${ACTIVE} FOR SHARE`);
const FIND_ACTIVE_FOR_SHARE = prepared(
  `SELECT ${COLUMNS} FROM accounts WHERE id = $1 AND ${ACTIVE} FOR SHARE`,
);
const LOCK_UNCHANGED = prepared(
  `SELECT 1 FROM accounts WHERE id = $1 AND password_version = $2 AND ${ACTIVE} FOR SHARE`,
);

/**
 * Accounts that are not erased; an active one is not suspended either. Statements that lock, and
 * those by address, are named SQL: by address, a hit must not take longer than a miss (ADR 23).
 */
@Injectable()
export class AccountRepository {
  constructor(private readonly database: Database) {}

  async find(id: UserId): Promise<Account | null> {
    return this.accounts.findOne({ where: { id, erasedAt: IsNull() }, select: ACCOUNT });
  }

  async findActive(id: UserId): Promise<Account | null> {
    const where = { id, erasedAt: IsNull(), suspendedAt: IsNull() };
    return this.accounts.findOne({ where, select: ACCOUNT });
  }

  /** Returns which of these accounts are suspended. */
  async findSuspended(ids: readonly UserId[]): Promise<ReadonlySet<string>> {
    const suspended = await this.database.rows<{ id: string }>(
      prepared('SELECT id FROM accounts WHERE id = ANY($1) AND suspended_at IS NOT NULL'),
      [ids],
    );
    return new Set(suspended.map(({ id }) => id));
  }

  /** Returns the profiles of several accounts by id, without those that are erased. */
  async findProfiles(ids: readonly string[]): Promise<ReadonlyMap<string, Profile>> {
    const profiles = await this.database.rows<Profile>(
      prepared(
        `SELECT ${columnsOf(AccountEntity, '', PROFILE)} FROM accounts WHERE id = ANY($1) AND erased_at IS NULL`,
      ),
      [ids],
    );
    return new Map(profiles.map((profile) => [profile.id, profile]));
  }

  /** Returns what several people are called, erased ones too, which have no name. */
  findNamed(ids: readonly string[]): Promise<NamedAccount[]> {
    return this.database.rows(
      prepared(
        `SELECT a.id, a.email, ${nameColumns('a')}, a.erased_at IS NOT NULL AS "isErased" FROM accounts a WHERE a.id = ANY($1)`,
      ),
      [ids],
    );
  }

  /** Locks the account against erasure and suspension until the transaction ends. */
  findForShare(id: UserId): Promise<LockedAccount | null> {
    return this.findWhere(id, `${EXISTS} FOR SHARE`);
  }

  /** As {@link findForShare}. */
  findActiveForShare(id: UserId): Promise<LockedAccount | null> {
    return this.database.row(FIND_ACTIVE_FOR_SHARE, [id]);
  }

  /**
   * Locks the account against erasure, suspension and a new password until the transaction ends.
   * @returns null if one of them has already happened
   */
  async lockUnchangedForShare(id: UserId, passwordVersion: number): Promise<Locked<UserId> | null> {
    return (await this.database.row(LOCK_UNCHANGED, [id, passwordVersion])) && (id as Locked<UserId>);
  }

  /** As {@link findActiveForShare}, without the account. @returns null if it is not active */
  async lockActiveForShare(id: UserId): Promise<Locked<UserId> | null> {
    return (await this.database.row(LOCK_ACTIVE, [id])) && (id as Locked<UserId>);
  }

  /** Returns whether the account is neither erased nor suspended, without a lock. */
  async isActive(id: UserId): Promise<boolean> {
    return (await this.database.row(`SELECT 1 FROM accounts WHERE id = $1 AND ${ACTIVE}`, [id])) !== null;
  }

  /** Locks the account against every change until the transaction ends. */
  findForUpdate(id: UserId): Promise<LockedAccount | null> {
    return this.findWhere(id, `${EXISTS} FOR UPDATE`);
  }

  /** As {@link findForUpdate}. */
  findActiveForUpdate(id: UserId): Promise<LockedAccount | null> {
    return this.findWhere(id, `${ACTIVE} FOR UPDATE`);
  }

  findByEmailKey(emailKey: string): Promise<AddressedAccount | null> {
    return this.database.row<AddressedAccount>(`SELECT ${COLUMNS} FROM accounts WHERE email_key = $1`, [
      emailKey,
    ]);
  }

  /** Locks the account against erasure, which then removes what this transaction queues. */
  findByEmailKeyForShare(emailKey: string): Promise<(AddressedAccount & LockedAccount) | null> {
    return this.database.row(`SELECT ${COLUMNS} FROM accounts WHERE email_key = $1 FOR SHARE`, [emailKey]);
  }

  /** Locks an account, and the one that has an address, in order of id. */
  findWithHolderForShare(id: UserId, emailKey: string): Promise<WithHolder> {
    return this.findWithHolder(id, emailKey, 'FOR SHARE');
  }

  /** As {@link findWithHolderForShare}, exclusively. */
  findWithHolderForUpdate(id: UserId, emailKey: string): Promise<WithHolder> {
    return this.findWithHolder(id, emailKey, 'FOR UPDATE');
  }

  /** As {@link findWithHolderForUpdate}; `own` is null if it is suspended. */
  async findActiveWithHolderForUpdate(id: UserId, emailKey: string): Promise<WithHolder> {
    const { own, holder } = await this.findWithHolderForUpdate(id, emailKey);
    return { own: own?.suspendedAt === null ? own : null, holder };
  }

  /** @returns false if the address has an account already */
  async insertVerified(
    id: UserId,
    emailKey: string | null,
    from: Omit<Account, 'id' | 'passwordVersion' | 'suspendedAt' | 'createdAt' | 'importKey'>,
  ): Promise<boolean> {
    const inserted = await this.database.rows(
      prepared(`INSERT INTO accounts (id, email, email_key, password_hash, first_name, last_name, display_name, company, country, marketing_opt_in, locale)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (email_key) DO NOTHING RETURNING id`),
      [
        id,
        from.email,
        emailKey,
        from.passwordHash,
        from.firstName,
        from.lastName,
        from.displayName,
        from.company,
        from.country,
        from.marketingOptIn,
        from.locale,
      ],
    );
    return inserted.length === 1;
  }

  /** Changes the fields that are given. @returns null if the account is erased */
  async updateProfile(id: UserId, changes: ProfileChanges): Promise<Profile | null> {
    if (namesOfGiven(changes).length > 0) await this.accounts.update({ id, erasedAt: IsNull() }, changes);
    return (await this.findProfiles([id])).get(id) ?? null;
  }

  /** @throws a unique violation if another account has the address: see `isUniqueViolation` */
  async setEmail(id: UserId, email: string, emailKey: string): Promise<void> {
    await this.accounts.update({ id }, { email, emailKey });
  }

  /** Stores a new password; logins that verified an earlier version are refused. */
  async setPassword(id: UserId, passwordHash: string): Promise<void> {
    await this.accounts.update({ id }, { passwordHash, passwordVersion: NEXT_VERSION });
  }

  /**
   * Stores the password of an active account that never had one. It stays the same version: nothing
   * was verified before.
   */
  async setFirstPassword(id: UserId, passwordHash: string): Promise<void> {
    const without = { passwordHash: IsNull(), passwordVersion: 1, erasedAt: IsNull(), suspendedAt: IsNull() };
    await this.accounts.update({ id, ...without }, { passwordHash });
  }

  /** Removes the password; logins that verified it are refused. */
  async removePassword(id: UserId): Promise<void> {
    await this.accounts.update({ id }, { passwordHash: null, passwordVersion: NEXT_VERSION });
  }

  /** Stores a new hash of the same password, unless the password has changed. */
  async rehashPassword(id: UserId, version: number, passwordHash: string): Promise<void> {
    await this.accounts.update({ id, passwordVersion: version }, { passwordHash });
  }

  /** @returns false if the account was suspended already */
  async suspend(id: UserId): Promise<boolean> {
    const active = { id, suspendedAt: IsNull() };
    return (await this.accounts.update(active, { suspendedAt: () => 'now()' })).affected === 1;
  }

  /** @returns false if the account was active already */
  async restore(id: UserId): Promise<boolean> {
    const suspended = { id, suspendedAt: Not(IsNull()) };
    return (await this.accounts.update(suspended, { suspendedAt: null })).affected === 1;
  }

  /** Removes everything but the surrogate id. */
  async anonymize(id: UserId): Promise<void> {
    const nothing = {
      email: null,
      emailKey: null,
      passwordHash: null,
      ...NO_NAME,
      company: null,
      country: null,
      locale: null,
    };
    const changes = { marketingOptIn: false, passwordVersion: NEXT_VERSION, suspendedAt: null };
    await this.accounts.update({ id }, { ...nothing, ...changes, erasedAt: () => 'now()' });
  }

  /** One statement locks both, so that accounts which exchange addresses do not deadlock. */
  private async findWithHolder(id: UserId, emailKey: string, lock: string): Promise<WithHolder> {
    const found = await this.database.rows<LockedAccount>(
      `SELECT ${COLUMNS} FROM accounts WHERE (id = $1 OR email_key = $2) AND ${EXISTS} ORDER BY id ${lock}`,
      [id, emailKey],
    );
    const holder = found.find((account) => account.id !== id) as
      (AddressedAccount & LockedAccount) | undefined;
    return { own: found.find((account) => account.id === id) ?? null, holder: holder ?? null };
  }

  private get accounts(): EntityRepository<AccountEntity> {
    return this.database.repository(AccountEntity);
  }

  private findWhere(id: UserId, condition: string): Promise<LockedAccount | null> {
    return this.database.row(`SELECT ${COLUMNS} FROM accounts WHERE id = $1 AND ${condition}`, [id]);
  }
}
