import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { LifecycleEvents, UserId } from '../../../kernel/index.js';
import { EventSequencer, PLATFORM, type StreamedEvent } from '../../../platform/events/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { ChangeFeed } from '../../../platform/live/index.js';
import { SatelliteService } from '../../../satellite/index.js';
import { Subjects } from '../../subjects/subjects.js';
import {
  ACCOUNT_DISABLED,
  ACCOUNT_PURGED,
  ASSURANCE_LEVEL_CHANGE,
  CREDENTIAL_CHANGE,
  SESSION_REVOKED,
  SIGNALS_CHANNEL,
} from '../signal-types.js';
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
    private readonly satellites: SatelliteService,
    private readonly subjects: Subjects,
    private readonly events: SignalEventRepository,
  ) {}

  onModuleInit(): void {
    this.sequencer.consume((events) => this.readOutbox(events));
  }

  /** Sessions end by whatever cause. */
  @OnLifecycle('session.ended')
  async addRevocations({ sessionIds }: LifecycleEvents['session.ended']): Promise<void> {
    await this.addOf(SESSION_REVOKED, await this.events.findOfSessions(sessionIds, SESSION_REVOKED));
  }

  @OnLifecycle('session.strengthened')
  async addAssurance({ sessionId }: LifecycleEvents['session.strengthened']): Promise<void> {
    const targets = await this.events.findOfSessions([sessionId], ASSURANCE_LEVEL_CHANGE);
    await this.addOf(ASSURANCE_LEVEL_CHANGE, targets, {
      namespace: 'NIST-AAL',
      current_level: 'nist-aal2',
      previous_level: 'nist-aal1',
      change_direction: 'increase',
    });
  }

  @OnLifecycle('account.suspended')
  async addSuspension({ userId }: LifecycleEvents['account.suspended']): Promise<void> {
    await this.addOf(ACCOUNT_DISABLED, await this.events.findOfPeople([userId], ACCOUNT_DISABLED));
  }

  /** Must run before the listeners that remove sessions, consents and identifiers of the person. */
  @OnLifecycle('account.erased')
  async addErasure({ userId }: LifecycleEvents['account.erased']): Promise<void> {
    await this.addOf(ACCOUNT_PURGED, await this.events.findOfPeople([userId], ACCOUNT_PURGED));
  }

  /** Fills a new stream with the sessions whose access tokens may be valid still. */
  async addRecentlyEnded(streamId: string, clientId: string, seconds: number): Promise<void> {
    const ended = await this.events.findRecentlyEnded(clientId, seconds);
    await this.addOf(
      SESSION_REVOKED,
      ended.map((one) => ({ ...one, streamId, clientId })),
    );
  }

  /** Reads the events of the platform, in which each event about a person is once. */
  private async readOutbox(events: readonly StreamedEvent[]): Promise<void> {
    for (const { tenantId, type, data, createdAt } of events) {
      const change = tenantId === PLATFORM ? CHANGES[type] : undefined;
      if (!change) continue;
      const said = data as Readonly<Record<string, string>>;
      const targets = await this.events.findOfPeople([said['userId'] as UserId], CREDENTIAL_CHANGE);
      await this.addOf(CREDENTIAL_CHANGE, targets, change(said), createdAt);
    }
  }

  private async addOf(
    type: string,
    targets: readonly Target[],
    details: object = {},
    at = new Date(),
  ): Promise<void> {
    if (targets.length === 0) return;
    const seconds = Math.floor(at.getTime() / 1_000);
    const signals: NewSignal[] = [];
    for (const target of targets) {
      const { streamId, sessionId } = target;
      const subject = await this.findSubject(target);
      if (subject === null && sessionId === null) continue;
      signals.push({ streamId, type, subject, sessionId, details: { event_timestamp: seconds, ...details } });
    }
    await this.events.add(signals);
    const streams = [...new Set(signals.map(({ streamId }) => streamId))];
    if (streams.length > 0) await this.feed.announce(SIGNALS_CHANNEL, ...streams);
  }

  /** @returns null if the client has never learned of the person, or the account was erased */
  private async findSubject({ clientId, userId }: Target): Promise<string | null> {
    const client = await this.satellites.findEnabled(clientId);
    return client && this.subjects.findKnown(client, userId);
  }
}
