import { Injectable } from '@nestjs/common';
import type { Locked, TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { AccountMails } from '../accounts/account-mails.js';
import { PendingRegistrationRepository } from '../accounts/registration/pending-registration.repository.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { MemberService } from '../organizations/members/member.service.js';
import { OWNER } from '../organizations/roles/role-scopes.js';
import { TenantLock } from '../organizations/tenants/tenant-lock.js';
import { type Candidate, type ImportBatch, isPlain, RefusedLine } from './import-batch.js';
import { ImportRepository, type KnownAccount } from './import.repository.js';
import { endOf, ImportRoles } from './import-roles.js';
import { importKeyOf } from './import-keys.js';
import { ImportNotices } from './import-notices.js';
import { attempt, attemptLater, inTransaction, type Joining, type Run } from './import-run.js';

/** Rolls back accounts, because of pending registrations of their addresses. */
class Registered extends Error {}

/** Writes the accounts of an import, with what belongs to them, in separate transactions. */
@Injectable()
export class ImportWriter {
  constructor(
    private readonly database: Database,
    private readonly imports: ImportRepository,
    private readonly pending: PendingRegistrationRepository,
    private readonly mails: AccountMails,
    private readonly audit: AuditTrail,
    private readonly members: MemberService,
    private readonly roles: ImportRoles,
    private readonly tenantLock: TenantLock,
    private readonly notices: ImportNotices,
    private readonly lifecycle: Lifecycle,
  ) {}

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
      if (!(await this.insert([candidate])).has(account.id)) throw taken();
      joined = await this.join(account.id, memberships, joining);
      const refusal = (sentence: string): Error => new RefusedLine(sentence);
      const imported = { userId: account.id as Locked<UserId>, identities, totpSecret, passkeys };
      await this.lifecycle.emit('account.imported', { ...imported, refusal });
    });
    for (const tenantId of joined) joining?.told.add(tenantId);
  }

  /**
   * Makes a person a member, except where that has ended.
   * @returns the organizations of which they are a member now
   * @throws {RefusedLine}
   */
  private async join(
    userId: UserId,
    memberships: Candidate['memberships'],
    joining: Joining | null,
  ): Promise<readonly TenantId[]> {
    const tenantIds = memberships.map(({ tenantId }) => tenantId as TenantId);
    if (new Set(tenantIds).size < tenantIds.length)
      throw new RefusedLine('memberships has an organization twice');
    await this.tenantLock.lockAllForUpdate(tenantIds);
    const joined: TenantId[] = [];
    for (const membership of memberships) {
      const { tenantId: id, roles } = membership;
      const tenantId = this.tenantLock.requireLocked(id as TenantId);
      const given = await this.roles.find(tenantId, membership);
      if (roles.includes(OWNER) && (await this.members.hasAnyOwner(tenantId)))
        throw new RefusedLine('memberships makes an owner of an organization that has one');
      if (joining) await this.roles.requireConsent(tenantId);
      // The command line has no account: the organization itself is the actor then.
      const actorId = joining ? (joining.operatorId ?? (id as UserId)) : userId;
      const until = endOf(membership.until);
      if (isPast(until)) continue;
      const lasting = given.filter((role) => !isPast(role.until));
      const roleIds = lasting.map((role) => role.id);
      await this.members.add(tenantId, userId, roleIds, { actorId });
      await this.members.setEnds(tenantId, userId, until, lasting);
      if (joining && !joining.told.has(tenantId)) await this.notices.queue(tenantId);
      joined.push(tenantId);
    }
    return joined;
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

/** @throws {RefusedLine} if the account is not the person's of the line, or of this run */
function requireSame({ isErased, isNew, emailKey }: KnownAccount, { account }: Candidate): void {
  if (isErased) throw erased();
  if (emailKey !== account.emailKey)
    throw new RefusedLine('the externalId was imported with another address');
  if (isNew) throw new RefusedLine('an earlier line has the externalId');
}

/** What has ended before the import is not given. */
const isPast = (until: Date | null | undefined): boolean =>
  until instanceof Date && until.getTime() <= Date.now();

export const erased = (): RefusedLine => new RefusedLine('the account was erased');
export const taken = (): RefusedLine => new RefusedLine('the address has an account already');
