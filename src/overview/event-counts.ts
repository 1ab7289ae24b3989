import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counts, type Tally } from '../platform/counts/index.js';
import { EventSequencer, type StreamedEvent } from '../platform/events/index.js';

const MEMBER_CHANGES = ['joined', 'left'] as const;
const FACTOR_CHANGES = ['totp-added', 'totp-removed', 'passkey-added', 'passkey-removed', 'reset'] as const;
type FactorChange = (typeof FACTOR_CHANGES)[number];

/** Counts what is an event anyway, in the streams of the organizations that it concerns. */
@Injectable()
export class EventCounts implements OnModuleInit {
  private readonly byType: ReadonlyMap<string, (event: StreamedEvent) => void>;

  constructor(
    counts: Counts,
    private readonly sequencer: EventSequencer,
  ) {
    const signUps = counts.tally({
      name: 'sign-up',
      values: ['account'],
      metric: { name: 'gatehouse_sign_ups_total', help: 'Accounts created.', label: 'kind' },
    });
    const members = counts.tally({ name: 'member', values: MEMBER_CHANGES });
    const factors = counts.tally({
      name: 'factor',
      values: FACTOR_CHANGES,
      metric: {
        name: 'gatehouse_factor_changes_total',
        help: 'Second factors that people have added, removed, or had reset.',
        label: 'change',
      },
    });
    const sessions = counts.tally({
      name: 'session',
      values: ['ended'],
      metric: {
        name: 'gatehouse_sessions_ended_total',
        help: 'Sessions ended, whatever the cause.',
        label: 'what',
      },
    });
    const factorOf = ({ data }: StreamedEvent, what: string): FactorChange | undefined =>
      FACTOR_CHANGES.find((change) => change === `${String(data['method'])}-${what}`);
    this.byType = new Map<string, (event: StreamedEvent) => void>([
      ['iam.account.created', counting(signUps, () => 'account')],
      ['iam.member.joined', counting(members, () => 'joined')],
      ...['iam.member.left', 'iam.member.removed', 'iam.membership.expired'].map(
        (type) => [type, counting(members, () => 'left')] as const,
      ),
      ['iam.authenticator.added', counting(factors, (event) => factorOf(event, 'added'))],
      ['iam.authenticator.removed', counting(factors, (event) => factorOf(event, 'removed'))],
      ['iam.authenticator.reset', counting(factors, () => 'reset')],
      ['iam.session.ended', counting(sessions, () => 'ended')],
    ]);
  }

  onModuleInit(): void {
    this.sequencer.consume(async (events) => {
      for (const event of events) this.byType.get(event.type)?.(event);
    });
  }
}

const counting =
  <V extends string>(tally: Tally<V>, valueOf: (event: StreamedEvent) => V | undefined) =>
  (event: StreamedEvent): void => {
    const value = valueOf(event);
    if (value !== undefined) tally.countFor(event.tenantId, value, event.createdAt);
  };
