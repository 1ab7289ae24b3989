import { Injectable } from '@nestjs/common';
import { FactorResetService, type OwnFactors, OwnMethods } from '../../authenticator/index.js';
import { type Identity, IdentityService } from '../../external-identity/index.js';
import {
  type AuditEvent,
  AuditEventRepository,
  type FailureEvent,
  AuditTrail,
  EmailChangeService,
  PasswordResetService,
} from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { type MailRecord, RecipientMails } from '../../platform/mail/index.js';
import { SessionService, type SessionSummary } from '../../session/index.js';
import type { ErasureRequestEntity } from './erasure-request.entity.js';
import { ErasureRequestRepository } from './erasure-request.repository.js';
import { type HeldMembership, type Person, PersonRepository } from './person.repository.js';

/** Maximum number of items of each kind on the page of a person. */
export const MAX_SHOWN = 50;
const SHOWN = { limit: MAX_SHOWN, after: null };

/** What an operator sees of a person. */
export interface PersonPage extends Person {
  readonly memberships: readonly HeldMembership[];
  readonly sessions: readonly SessionSummary[];
  readonly identities: readonly Identity[];
  readonly factors: OwnFactors['methods'];
  readonly resetAt: Date | null;
  /** Until when a mailed link to set a password is valid; null without one. */
  readonly passwordResetExpiresAt: Date | null;
  /** Change of address that waits for its confirmation. */
  readonly emailChange: Awaited<ReturnType<EmailChangeService['findPending']>>;
  readonly events: readonly AuditEvent[];
  /** Newest series of wrong passwords. */
  readonly failures: readonly FailureEvent[];
  readonly mails: readonly MailRecord[];
  readonly erasure: ErasureRequestEntity | null;
}

/** Reads all that an operator sees of a person, and records that they did. */
@Injectable()
export class PersonPages {
  constructor(
    private readonly people: PersonRepository,
    private readonly sessions: SessionService,
    private readonly identities: IdentityService,
    private readonly methods: OwnMethods,
    private readonly resets: FactorResetService,
    private readonly passwordResets: PasswordResetService,
    private readonly emailChanges: EmailChangeService,
    private readonly mails: RecipientMails,
    private readonly erasures: ErasureRequestRepository,
    private readonly audit: AuditTrail,
    private readonly events: AuditEventRepository,
  ) {}

  /** @throws {AppError} not-found if the account is erased */
  async get(callerId: UserId, id: UserId): Promise<PersonPage> {
    const person = await this.people.find(id);
    if (!person) throw new AppError('not-found');
    await this.audit.record({ actorId: callerId, action: 'person.read', subject: `iam/accounts/${id}` });
    const [
      memberships,
      sessions,
      identities,
      factors,
      reset,
      events,
      failures,
      mails,
      erasure,
      link,
      change,
    ] = await Promise.all([
      this.people.listMemberships(id, MAX_SHOWN),
      this.sessions.list(id, SHOWN, null),
      this.identities.list(id, SHOWN),
      this.methods.findFactors(id, 'all'),
      this.resets.findPending(id),
      this.events.listOfAccount(id, SHOWN),
      this.events.listFailures(id, MAX_SHOWN),
      person.email === null ? [] : this.mails.list(person.email, MAX_SHOWN),
      this.erasures.find(id),
      this.passwordResets.findExpiry(id),
      this.emailChanges.findPending(id),
    ]);
    return {
      ...person,
      memberships,
      mails,
      failures,
      erasure,
      sessions: sessions.slice(0, MAX_SHOWN),
      identities: identities.slice(0, MAX_SHOWN),
      events: events.slice(0, MAX_SHOWN),
      factors: factors.methods,
      resetAt: reset?.effectiveAt ?? null,
      passwordResetExpiresAt: link,
      emailChange: change,
    };
  }
}
