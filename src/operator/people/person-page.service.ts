import { Injectable } from '@nestjs/common';
import { FactorResetService, type OwnFactors, OwnMethods } from '../../authenticator/index.js';
import { type Identity, IdentityService } from '../../external-identity/index.js';
import type { FailureEvent } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { MailRecord } from '../../platform/mail/index.js';
import { SessionService, type SessionSummary } from '../../session/index.js';
import { type ErasureRequest, ErasureRequestRepository } from './erasure-request.repository.js';
import { type PendingLinks, PersonLinks } from './person-links.service.js';
import { type NamedEvent, PersonTrail } from './person-trail.js';
import { type HeldMembership, type Person, PersonRepository } from './person.repository.js';

/** How a person signs in, and where they are signed in. */
export interface SignIns {
  readonly sessions: readonly SessionSummary[];
  readonly identities: readonly Identity[];
  readonly factors: OwnFactors['methods'];
  /** When the second factors will be removed; null without a reset. */
  readonly resetAt: Date | null;
}

/** Reads how people sign in. */
@Injectable()
export class PersonSignIns {
  constructor(
    private readonly sessions: SessionService,
    private readonly identities: IdentityService,
    private readonly methods: OwnMethods,
    private readonly resets: FactorResetService,
  ) {}

  /** @param limit maximum number of sessions, and of identities */
  async find(id: UserId, limit: number): Promise<SignIns> {
    const page = { limit, after: null };
    const [sessions, identities, factors, reset] = await Promise.all([
      this.sessions.list(id, page, null),
      this.identities.list(id, page),
      this.methods.findFactors(id, 'all'),
      this.resets.findPending(id),
    ]);
    return {
      sessions: sessions.slice(0, limit),
      identities: identities.slice(0, limit),
      factors: factors.methods,
      resetAt: reset?.effectiveAt ?? null,
    };
  }
}

/** Maximum number of items of each kind on the page of a person. */
export const MAX_SHOWN = 50;

/** What an operator sees of a person. */
export interface PersonPage extends Person, SignIns, PendingLinks {
  readonly memberships: readonly HeldMembership[];
  readonly events: readonly NamedEvent[];
  /** Newest series of wrong passwords. */
  readonly failures: readonly FailureEvent[];
  readonly mails: readonly MailRecord[];
  readonly erasure: ErasureRequest | null;
}

/** Reads all that an operator sees of a person, and records that they did. */
@Injectable()
export class PersonPages {
  constructor(
    private readonly people: PersonRepository,
    private readonly trail: PersonTrail,
    private readonly signIns: PersonSignIns,
    private readonly links: PersonLinks,
    private readonly erasures: ErasureRequestRepository,
  ) {}

  /** @throws {AppError} not-found if the account is erased */
  async get(callerId: UserId, id: UserId): Promise<PersonPage> {
    const person = (await this.people.find(id)) ?? AppError.notFound();
    await this.trail.record(callerId, id, 'read');
    const [memberships, signIns, links, events, failures, mails, erasure] = await Promise.all([
      this.people.listMemberships(id, MAX_SHOWN),
      this.signIns.find(id, MAX_SHOWN),
      this.links.findPending(id),
      this.trail.list(id, MAX_SHOWN),
      this.trail.listFailures(id, MAX_SHOWN),
      this.links.listMails(person.email, MAX_SHOWN),
      this.erasures.find(id),
    ]);
    return { ...person, ...signIns, ...links, memberships, events, failures, mails, erasure };
  }
}
