import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { canonicalEmail, newId, type TenantId, type UserId } from '../../kernel/index.js';
import { KeyDerivation } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { AccountMails } from '../accounts/account-mails.js';
import { readForeignHash, RefusedHash } from '../accounts/credentials/imported/foreign-hash.js';
import { ImportedPasswords } from '../accounts/credentials/imported/imported-passwords.js';
import { wrapWeakHash } from '../accounts/credentials/imported/wrapped-hash.js';
import { PendingRegistrationRepository } from '../accounts/registration/pending-registration.repository.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { MemberService } from '../organizations/members/member.service.js';
import { MembershipDirectory } from '../organizations/members/membership-directory.js';
import { RoleService } from '../organizations/roles/role.service.js';
import { TenantLock } from '../organizations/tenants/tenant-lock.js';
import { type Candidate, ImportBatch, isPlain, RefusedLine } from './import-batch.js';
import { readLines } from './import-lines.js';
import { ImportRepository, type KnownAccount } from './import.repository.js';
import { importKeyOf, importKeysOf } from './import-keys.js';
import { type ImportedPerson, readPerson, type VouchedPerson } from './imported-person.js';

/** Accounts that are created by one transaction. */
const BATCH = 1_000;
/** Lines that are read between two turns of the event loop: some milliseconds. */
const LINES_PER_TURN = 32;
/** Maximum number of lines of which the report says what is wrong; all are counted. */
const MAX_ERRORS = 10_000;

/** What an import has done. */
export interface ImportReport {
  imported: number;
  /** Lines whose person was imported before. */
  unchanged: number;
  failed: number;
  /** The first 10,000 lines that failed. */
  readonly errors: { readonly line: number; readonly reason: string }[];
}

interface ImportOptions {
  /** Whether only to say what would be done. */
  readonly isDryRun: boolean;
  readonly onProgress?: (progress: { readonly lines: number; readonly percent: number }) => void;
}

/** Rolls back what a dry run has done. */
class DryRun extends Error {}

/** Rolls back accounts, because of pending registrations of their addresses. */
class Registered extends Error {}

/** State of one run. */
interface Run {
  readonly report: ImportReport;
  readonly isDryRun: boolean;
  readonly startedAt: Date;
  /** Whether accounts may be there that only a look-up finds. */
  readonly looksFirst: boolean;
  /** Schemes of password hashes that are stored, or will be. */
  readonly schemes: Set<string>;
}

/**
 * Imports people of another system with their passwords. Never touches an account that exists, and
 * sends no mail. A run can be stopped at any time and repeated: an account and its memberships are
 * created in one transaction, with a key that is derived from the person's id in that system.
 */
@Injectable()
export class PeopleImport {
  constructor(
    private readonly database: Database,
    private readonly imports: ImportRepository,
    private readonly passwords: ImportedPasswords,
    private readonly pending: PendingRegistrationRepository,
    private readonly mails: AccountMails,
    private readonly audit: AuditTrail,
    private readonly members: MemberService,
    private readonly directory: MembershipDirectory,
    private readonly roles: RoleService,
    private readonly tenantLock: TenantLock,
    private readonly lifecycle: Lifecycle,
    private readonly keys: KeyDerivation,
  ) {}

  /**
   * Imports a file with a person a line.
   * @throws {Error} if there is no such file
   */
  async run(file: string, options: ImportOptions): Promise<ImportReport> {
    const { size } = await stat(file);
    return this.read(createReadStream(file) as AsyncIterable<Buffer>, size, options);
  }

  /**
   * Imports a part of a file, in transactions of its own: never call it within one, which a refused
   * line would leave with half of its person.
   */
  runPart(part: Buffer, isDryRun: boolean): Promise<ImportReport> {
    if (this.database.inTransaction) throw new Error('An import needs transactions of its own.');
    return this.read([part], part.length, { isDryRun });
  }

  /**
   * Creates the account of a person for whom the directory of another system has vouched, as the
   * import of a line does, in a transaction of its own.
   * @param passwordHash stored form of the password that the person has given
   * @throws {RefusedLine} if the person or the address has an account, or had one that was erased;
   *   for an organization or role that does not exist
   */
  async createVouched(person: VouchedPerson, passwordHash: string): Promise<void> {
    const importKeys = importKeysOf(this.keys, person.externalId);
    const emailKey = canonicalEmail(person.email);
    const { email, firstName, memberships } = person;
    const account = {
      id: newId() as UserId,
      importKey: importKeys[0],
      email,
      emailKey,
      firstName: firstName ?? null,
      passwordHash,
    };
    const known = await this.imports.find(importKeys, [emailKey], new Date());
    if (known.some(({ isErased }) => isErased)) throw erased();
    if (known.length > 0) throw taken();
    await this.createWhole({
      line: 1,
      account,
      importKeys,
      memberships: memberships ?? [],
      identities: [],
      totpSecret: null,
      passkeys: [],
    });
  }

  private async read(
    chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
    size: number,
    { isDryRun, onProgress }: ImportOptions,
  ): Promise<ImportReport> {
    const report: ImportReport = { imported: 0, unchanged: 0, failed: 0, errors: [] };
    const schemes = new Set(await this.passwords.reload());
    const { now: startedAt, hasFormer } = await this.imports.start();
    const hasFormerKeys = this.keys.subkeys('imported-account').length > 1;
    const run: Run = {
      report,
      isDryRun,
      startedAt,
      schemes,
      looksFirst: isDryRun || hasFormer || hasFormerKeys,
    };
    let batch = new ImportBatch();
    // The database works on a batch while the next one is read.
    let written = Promise.resolve();
    try {
      for await (const lines of readLines(chunks))
        for (const { number, text, position } of lines) {
          let wrapping: Promise<void> | undefined;
          attempt(run, number, () => (wrapping = this.add(run, batch, number, text)));
          if (wrapping) await attemptLater(run, number, wrapping);
          // Lets the answers of the database in, which wait for each other.
          if (number % LINES_PER_TURN === 0) await nextTurn();
          if (batch.size < BATCH) continue;
          await written;
          written = this.importBatch(run, batch);
          // It is awaited with the next batch, until when it must not count as unhandled.
          written.catch(() => undefined);
          batch = new ImportBatch();
          onProgress?.({ lines: number, percent: Math.floor((100 * position) / Math.max(1, size)) });
        }
    } finally {
      // Ends what has begun before an error of the file is reported.
      await written.catch(() => undefined);
    }
    await written;
    await this.importBatch(run, batch);
    await this.passwords.reload();
    report.errors.sort((a, b) => a.line - b.line);
    return report;
  }

  /**
   * Adds the person of a line to the batch.
   * @returns nothing if that is done; else the wrapping of a weak hash, after which it is
   * @throws {RefusedLine}
   */
  private add(run: Run, batch: ImportBatch, line: number, text: string | null): Promise<void> | undefined {
    if (text === null) throw new RefusedLine('is too long, or not UTF-8');
    const person = readPerson(text);
    if (typeof person === 'string') throw new RefusedLine(person);
    const { passwordHash = null } = person;
    const wrapped = passwordHash === null ? null : wrapWeakHash(passwordHash);
    const finish = (hash: string | null): void => batch.add(this.candidateOf(run, line, person, hash));
    if (wrapped instanceof Promise) return wrapped.then(finish);
    finish(wrapped);
    return undefined;
  }

  /** @throws {RefusedLine} */
  private candidateOf(run: Run, line: number, person: ImportedPerson, hash: string | null): Candidate {
    const importKeys = importKeysOf(this.keys, person.externalId);
    const account = {
      id: newId() as UserId,
      importKey: importKeys[0],
      email: person.email,
      emailKey: canonicalEmail(person.email),
      firstName: person.firstName ?? null,
      passwordHash: hash === null ? null : this.storedHash(run, hash),
    };
    const { memberships, identities, totpSecret, passkeys } = person;
    return {
      line,
      account,
      importKeys,
      memberships: memberships ?? [],
      identities: identities ?? [],
      totpSecret: totpSecret ?? null,
      passkeys: passkeys ?? [],
    };
  }

  /** @throws {RefusedLine} for a hash that a sign-in could not compute */
  private storedHash({ schemes }: Run, text: string): string {
    try {
      const hash = readForeignHash(text);
      const { name } = hash.scheme;
      if (!schemes.has(name) && !this.passwords.canCompute([...schemes, name]))
        throw new RefusedLine('there are too many kinds of password hashes with different parameters');
      schemes.add(name);
      return this.passwords.store(text, hash);
    } catch (error) {
      throw error instanceof RefusedHash ? new RefusedLine(error.message) : error;
    }
  }

  private async importBatch(run: Run, batch: ImportBatch): Promise<void> {
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
          this.createWhole(candidate, run.isDryRun).then(() => {
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
      return await this.database.transaction(() => this.insert(candidates, requireNone));
    } catch (error) {
      if (error instanceof Registered) return new Set();
      throw error;
    }
  }

  /** Creates accounts that are nothing more in one transaction. */
  private async create(run: Run, candidates: readonly Candidate[]): Promise<void> {
    const created = run.isDryRun
      ? new Set(candidates.map(({ account }) => account.id))
      : await this.database.transaction(() => this.insert(candidates));
    for (const { line, account } of candidates)
      attempt(run, line, () => {
        if (!created.has(account.id)) throw taken();
        run.report.imported += 1;
      });
  }

  /**
   * Creates an account with memberships, identities, an authenticator app and passkeys.
   * @throws {RefusedLine} for an organization or role that does not exist, and for what the modules
   *   of the others refuse
   */
  private async createWhole(candidate: Candidate, isDryRun = false): Promise<void> {
    const { account, memberships, identities, totpSecret, passkeys } = candidate;
    const work = async (): Promise<void> => {
      if (!(await this.insert([candidate])).has(account.id)) throw taken();
      await this.join(account.id, memberships);
      const refusal = (sentence: string): Error => new RefusedLine(sentence);
      const imported = { userId: account.id, identities, totpSecret, passkeys };
      await this.lifecycle.emit('account.imported', { ...imported, refusal });
      if (isDryRun) throw new DryRun();
    };
    await this.database.transaction(work).catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error;
    });
  }

  /** @throws {RefusedLine} */
  private async join(userId: UserId, memberships: Candidate['memberships']): Promise<void> {
    const tenantIds = memberships.map(({ tenantId }) => tenantId as TenantId);
    if (new Set(tenantIds).size < tenantIds.length)
      throw new RefusedLine('memberships has an organization twice');
    await this.tenantLock.lockForUpdate(...tenantIds);
    for (const { tenantId, roles } of memberships) {
      const roleIds = await this.roleIdsOf(tenantId as TenantId, roles);
      await this.members.add(tenantId as TenantId, userId, roleIds);
    }
  }

  /** @throws {RefusedLine} if the organization is not there, or has not all of the roles */
  private async roleIdsOf(tenantId: TenantId, keys: readonly string[]): Promise<string[]> {
    const state = await this.directory.findState(tenantId, true);
    if (!state || state.deletionStarted || state.archived)
      throw new RefusedLine('memberships names an organization that does not exist, or is archived');
    const roleIds = await this.roles.findIds(tenantId, keys);
    if (roleIds.length < new Set(keys).size)
      throw new RefusedLine('memberships names a role that the organization does not have');
    return roleIds;
  }

  /**
   * Inserts accounts in the open transaction. Pending registrations of their addresses are removed
   * with their mails: they may be an attacker's.
   * @param judge gets the addresses that had any
   * @returns the ids of those that were inserted
   */
  private async insert(
    candidates: readonly Candidate[],
    judge: (registered: ReadonlySet<string>) => void = () => undefined,
  ): Promise<ReadonlySet<string>> {
    if (candidates.length === 0) return new Set();
    const accounts = candidates.map(({ account }) => account);
    // Lock order: registrations before the account, as in their verification.
    const registered = new Set(
      await this.pending.deleteByEmailKeys(accounts.map(({ emailKey }) => emailKey)),
    );
    judge(registered);
    const inserted = await this.imports.insert(accounts);
    const created = accounts.filter(({ id }) => inserted.has(id));
    for (const { email, emailKey } of created)
      if (registered.has(emailKey)) await this.mails.forgetRegistrations(email);
    const event = ({ id }: { readonly id: UserId }) => ({
      actorId: id,
      action: 'account.created',
      subject: `iam/accounts/${id}`,
      concerns: [], // a new account is in no organization yet
    });
    await this.audit.record(...created.map(event));
    return inserted;
  }
}

/** Does a part of the work for a line; counts and reports what is refused. */
function attempt(run: Run, line: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    refuse(run, line, error);
  }
}

/** Waits for a part of the work for a line, as {@link attempt} does it. */
async function attemptLater(run: Run, line: number, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => refuse(run, line, error));
}

/** Counts and reports a refused line. @throws what is no refusal */
function refuse({ report }: Run, line: number, error: unknown): void {
  if (!(error instanceof RefusedLine)) throw error;
  report.failed += 1;
  if (report.errors.length < MAX_ERRORS) report.errors.push({ line, reason: error.message });
}

/** @throws {RefusedLine} if the account is not the person's of the line, or of this run */
function requireSame({ isErased, isNew, emailKey }: KnownAccount, { account }: Candidate): void {
  if (isErased) throw erased();
  if (emailKey !== account.emailKey)
    throw new RefusedLine('the externalId was imported with another address');
  if (isNew) throw new RefusedLine('an earlier line has the externalId');
}

const erased = (): RefusedLine => new RefusedLine('the account was erased');
const taken = (): RefusedLine => new RefusedLine('the address has an account already');
