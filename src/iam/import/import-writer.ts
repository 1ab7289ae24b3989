import { Injectable } from '@nestjs/common';
import type { Locked, TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { type Candidate, type ImportBatch, isPlain, RefusedLine } from './import-batch.js';
import { ImportRepository, type KnownAccount } from './import.repository.js';
import { importKeyOf } from './import-keys.js';
import { attempt, attemptLater, inTransaction, type Run } from './import-run.js';
import { ImportedAccounts } from './imported-accounts.js';
import { ImportedMemberships } from './imported-memberships.js';

/** Rolls back accounts, because of pending registrations of their addresses. */
class Registered extends Error {}

/** Writes the accounts of an import, with what belongs to them, in separate transactions. */
@Injectable()
export class ImportWriter {
  constructor(
    private readonly database: Database,
    private readonly imports: ImportRepository,
    private readonly accounts: ImportedAccounts,
    private readonly memberships: ImportedMemberships,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** @throws {Error} in a transaction, which a refused line would leave with half of its person */
  requireNoTransaction(): void {
    if (this.database.inTransaction) throw new Error('An import needs separate transactions.');
  }

  /** Writes a batch, and notes in the report of the run what has become of its lines. */
  async write(run: Run, batch: ImportBatch): Promise<void> {
    const created = run.looksFirst ? new Set() : await this.createUnseen(batch.candidates.filter(isPlain));
    run.report.imported += created.size;
    const candidates = batch.candidates.filter(({ account }) => !created.has(account.id));
    if (candidates.length === 0) return;
    const known = await this.imports.find(
      candidates.flatMap(({ importKeys }) => importKeys),
      candidates.map(({ account }) => account.emailKey),
      run.startedAt,
    );
    const byKey = new Map<string | null, KnownAccount>(
      known.map((account) => [importKeyOf(account), account]),
    );
    const addresses = new Set(known.map(({ emailKey }) => emailKey));
    const fresh: Candidate[] = [];
    for (const candidate of candidates)
      attempt(run, candidate.line, () => {
        const earlier = candidate.importKeys
          .map((key) => byKey.get(key))
          .find((account) => account !== undefined);
        if (earlier) requireSame(earlier, candidate);
        else if (addresses.has(candidate.account.emailKey)) throw taken();
        if (earlier) run.report.unchanged += 1;
        else fresh.push(candidate);
      });
    await this.create(run, fresh.filter(isPlain));
    for (const candidate of fresh)
      if (!isPlain(candidate))
        await attemptLater(
          run,
          candidate.line,
          this.createWhole(candidate, run).then(() => {
            run.report.imported += 1;
          }),
        );
  }

  /**
   * Creates accounts that are nothing more in one transaction, without a look-up, which finds none
   * in most batches. Leaves those whose key or address is taken; and all of them if one of the
   * addresses has a pending registration, which goes only if the account is created.
   * @returns the ids of those that were created
   */
  private async createUnseen(candidates: readonly Candidate[]): Promise<ReadonlySet<string>> {
    const requireNone = (registered: ReadonlySet<string>): void => {
      if (registered.size > 0) throw new Registered();
    };
    try {
      return await this.database.transaction(() => this.accounts.insert(candidates, requireNone));
    } catch (error) {
      if (error instanceof Registered) return new Set();
      throw error;
    }
  }

  /** Creates accounts that are nothing more in one transaction. */
  private async create(run: Run, candidates: readonly Candidate[]): Promise<void> {
    const created = run.isDryRun
      ? new Set(candidates.map(({ account }) => account.id))
      : await this.database.transaction(() => this.accounts.insert(candidates));
    for (const { line, account } of candidates)
      attempt(run, line, () => {
        if (!created.has(account.id)) throw taken();
        run.report.imported += 1;
      });
  }

  /**
   * Creates an account with memberships, identities, an authenticator app and passkeys.
   * Memberships by an import need the consent of the organization; none makes a further owner.
   * @param run null for a person whom a directory has vouched for: no operator is behind it
   * @throws {RefusedLine} for an organization or role that does not exist, an organization that
   *   does not let support in, and for what the modules of the others refuse
   */
  async createWhole(candidate: Candidate, run: Run | null): Promise<void> {
    const { account, memberships, identities, totpSecret, passkeys } = candidate;
    const joining = run?.joining ?? null;
    if (joining && joining.refusal !== null && memberships.length > 0) throw new RefusedLine(joining.refusal);
    let joined: readonly TenantId[] = [];
    await inTransaction(this.database, run?.isDryRun === true, async () => {
      if (!(await this.accounts.insert([candidate])).has(account.id)) throw taken();
      joined = await this.memberships.join(account.id, memberships, joining);
      const refusal = (sentence: string): Error => new RefusedLine(sentence);
      const imported = { userId: account.id as Locked<UserId>, identities, totpSecret, passkeys };
      await this.lifecycle.emit('account.imported', { ...imported, refusal });
    });
    for (const tenantId of joined) joining?.told.add(tenantId);
  }
}

/** @throws {RefusedLine} if the account is not the person's of the line, or of this run */
function requireSame({ isErased, isNew, emailKey }: KnownAccount, { account }: Candidate): void {
  if (isErased) throw erased();
  if (emailKey !== account.emailKey)
    throw new RefusedLine('the externalId was imported with another address');
  if (isNew) throw new RefusedLine('an earlier line has the externalId');
}

export const erased = (): RefusedLine => new RefusedLine('the account was erased');
export const taken = (): RefusedLine => new RefusedLine('the address has an account already');
