import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../../platform/database/index.js';
import type { StreamState } from '../signal-types.js';

/** A stream of security events to a client (SSF 1.0 section 8.1.1). */
@Entity('signal_streams')
@Index('signal_streams_client_idx', ['clientId', 'id'])
export class SignalStreamEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly clientId!: string;

  @Column(BYTEWISE_TEXT)
  readonly method!: 'push' | 'poll';

  /** Where events are pushed to; null for a stream that is polled. */
  @Column({ type: 'text', nullable: true })
  readonly endpointUrl!: string | null;

  /** Authorization header of pushes, sealed. */
  @Column({ type: 'text', nullable: true })
  readonly sealedAuthorization!: string | null;

  /** As the client asked for them, unknown ones included. */
  @Column({ type: 'text', array: true })
  readonly eventsRequested!: string[];

  @Column({ type: 'text', array: true })
  readonly eventsDelivered!: string[];

  @Column({ type: 'text', nullable: true })
  readonly description!: string | null;

  @Column({ ...BYTEWISE_TEXT, default: () => "'enabled'::text" })
  readonly status!: StreamState;

  @Column({ type: 'text', nullable: true })
  readonly statusReason!: string | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  /** Time of the last poll, or of the creation. */
  @Column(CREATED_AT)
  readonly polledAt!: Date;

  /** Time of the last request for a verification. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly verifiedAt!: Date | null;

  /** Failed pushes since the last one that was accepted. */
  @Column({ type: 'int', default: 0 })
  readonly attempts!: number;

  @Column(CREATED_AT)
  readonly dueAt!: Date;

  /** Until when one replica pushes; null if none does. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly leaseUntil!: Date | null;
}
