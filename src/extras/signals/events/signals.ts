import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { LifecycleEvents, SessionId, UserId } from '../../../kernel/index.js';
import { EventSequencer, PLATFORM, type StreamedEvent } from '../../../platform/events/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { ChangeFeed } from '../../../platform/live/index.js';
import { type Client, ClientService } from '../../../client/index.js';
import { sidOf, Subjects } from '../../../openid/index.js';
import {
  ACCOUNT_DISABLED,
  ACCOUNT_PURGED,
  ASSURANCE_LEVEL_CHANGE,
  CREDENTIAL_CHANGE,
  SESSION_REVOKED,
  SIGNALS_CHANNEL,
} from '../signal-types.js';
import { EndedSessionRepository } from './ended-session.repository.js';
import { type NewSignal, SignalEventRepository, type Target } from './signal-event.repository.js';

/** What CAEP says of a change of a credential (CAEP 1.0 section 3.3). */
interface CredentialChange {
  readonly credential_type: string;
  readonly change_type: 'create' | 'revoke' | 'update' | 'delete';
}

const CREDENTIAL_TYPES: Readonly<Record<string, string>> = { totp: 'app', passkey: 'fido2-roaming' };
const PASSWORD_CHANGES: Readonly<Record<string, CredentialChange['change_type']>> = { removed: 'delete' };

/** Events of the outbox by which a credential changes. */
const CHANGES: Readonly<Record<string, (data: Readonly<Record<string, string>>) => CredentialChange>> = {
  'iam.password.changed': ({ how = '' }) => ({
    credential_type: 'password',
    change_type: PASSWORD_CHANGES[how] ?? 'update',
  }),
  'iam.authenticator.added': ({ method = '' }) => ({
    credential_type: CREDENTIAL_TYPES[method] ?? method,
    change_type: 'create',
  }),
  'iam.authenticator.removed': ({ method = '' }) => ({
    credential_type: CREDENTIAL_TYPES[method] ?? method,
    change_type: 'delete',
  }),
  'iam.authenticator.reset': () => ({ credential_type: 'app', change_type: 'revoke' }),
};

/**
 * Adds security events to the streams of clients. What concerns a session, or ends an account, is
 * added in its transaction, because grants and identifiers go with them; changes of credentials
 * are read from the outbox.
 */
@Injectable()
export class Signals implements OnModuleInit {
  constructor(
    private readonly sequencer: EventSequencer,
    private readonly feed: ChangeFeed,
    private readonly clients: ClientService,
    private readonly subjects: Subjects,
    private readonly events: SignalEventRepository,
    private readonly ended: EndedSessionRepository,
  ) {}

  onModuleInit(): void {
    this.sequencer.consume((events) => this.readOutbox(events));
  }

  /** Sessions end by whatever cause. */
  @OnLifecycle('session.ended')
  async addRevocations({ sessionIds }: LifecycleEvents['session.ended']): Promise<void> {
    await this.ended.remember(sessionIds);
    // Also of withdrawn grants: who verifies tokens alone accepts theirs until they expire.
    const targets = await this.events.findOfSessions(sessionIds, SESSION_REVOKED, { former: true });
    await this.addOf(SESSION_REVOKED, targets);
  }

  @OnLifecycle('session.strengthened')
  async addAssurance({ sessionId }: LifecycleEvents['session.strengthened']): Promise<void> {
    const reach = { former: false };
    const targets = await this.events.findOfSessions([sessionId], ASSURANCE_LEVEL_CHANGE, reach);
    await this.addOf(ASSURANCE_LEVEL_CHANGE, targets, {
      details: {
        namespace: 'NIST-AAL',
        current_level: 'nist-aal2',
        previous_level: 'nist-aal1',
        change_direction: 'increase',
      },
    });
  }

  @OnLifecycle('account.suspended')
  async addSuspension({ userId }: LifecycleEvents['account.suspended']): Promise<void> {
    const targets = await this.events.findOfPeople([userId], ACCOUNT_DISABLED, { former: false });
    await this.addOf(ACCOUNT_DISABLED, targets);
  }

  /** While sessions, consents and identifiers of the person are there. */
  @OnLifecycle('account.erasing')
  async addErasure({ userId }: LifecycleEvents['account.erasing']): Promise<void> {
    const targets = await this.events.findOfPeople([userId], ACCOUNT_PURGED, { former: true });
    await this.addOf(ACCOUNT_PURGED, targets);
  }

  /** Fills a new stream with the sessions whose access tokens may be valid still. */
  async addRecentlyEnded(streamId: string, clientId: string, seconds: number): Promise<void> {
    const ended = await this.ended.findRecent(clientId, seconds);
    const told = await this.events.findSessions(streamId, SESSION_REVOKED);
    const targets = ended.map((one) => ({ ...one, streamId, clientId }));
    await this.addOf(SESSION_REVOKED, targets, { told });
  }

  /** Reads the events of the platform, in which each event about a person is once. */
  private async readOutbox(events: readonly StreamedEvent[]): Promise<void> {
    for (const { tenantId, type, data, createdAt } of events) {
      const change = tenantId === PLATFORM ? CHANGES[type] : undefined;
      if (!change) continue;
      const said = data as Readonly<Record<string, string>>;
      const userId = said['userId'] as UserId;
      const targets = await this.events.findOfPeople([userId], CREDENTIAL_CHANGE, { former: false });
      await this.addOf(CREDENTIAL_CHANGE, targets, { details: change(said), at: createdAt });
    }
  }

  private async addOf(
    type: string,
    targets: readonly Target[],
    {
      details = {},
      at = new Date(),
      told = new Set(),
    }: { readonly details?: object; readonly at?: Date; readonly told?: ReadonlySet<string> } = {},
  ): Promise<void> {
    if (targets.length === 0) return;
    const seconds = Math.floor(at.getTime() / 1_000);
    const signals: NewSignal[] = [];
    const clients = await this.findClients(targets);
    const sids = await this.findSids(targets, clients);
    for (const { streamId, sessionId, clientId, userId } of targets) {
      const client = clients.get(clientId) ?? null;
      // Null if the client has never learned of the person.
      const subject = client && userId !== null ? await this.subjects.findKnown(client, userId) : null;
      const signal = { streamId, type, subject, details: { event_timestamp: seconds, ...details } };
      if (sessionId === null && subject !== null) signals.push({ ...signal, sessionId });
      if (sessionId === null || client === null) continue;
      const named = isOfOperator(client) ? (sids.get(sessionId) ?? []) : [sidOf(client, sessionId)];
      for (const sid of named) if (!told.has(sid)) signals.push({ ...signal, sessionId: sid });
    }
    await this.events.add(signals);
    const streams = [...new Set(signals.map(({ streamId }) => streamId))];
    if (streams.length > 0) await this.feed.announce(SIGNALS_CHANNEL, ...streams);
  }

  private async findClients(targets: readonly Target[]): Promise<ReadonlyMap<string, Client | null>> {
    const clients = new Map<string, Client | null>();
    for (const clientId of new Set(targets.map((target) => target.clientId)))
      clients.set(clientId, await this.clients.findEnabled(clientId));
    return clients;
  }

  /**
   * Finds every `sid` of the sessions of which clients of the operator learn: a service of the
   * operator verifies access tokens of all clients, those with pairwise subjects too.
   */
  private async findSids(
    targets: readonly Target[],
    clients: ReadonlyMap<string, Client | null>,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const sids = new Map<SessionId, Set<string>>();
    for (const { clientId, sessionId } of targets) {
      const client = clients.get(clientId);
      if (client && isOfOperator(client) && sessionId !== null) sids.set(sessionId, new Set([sessionId]));
    }
    const known = sids.size === 0 ? [] : await this.ended.listPairwise([...sids.keys()]);
    for (const { sessionId, ...client } of known) sids.get(sessionId)?.add(sidOf(client, sessionId));
    return sids;
  }
}

/** Returns whether a client learns of all people: one of the operator. */
const isOfOperator = ({ firstParty, tenantId }: Client): boolean => firstParty && tenantId === null;
