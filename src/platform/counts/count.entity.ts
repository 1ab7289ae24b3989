import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../database/index.js';

/** What a count covers. */
export type Span = 'hour' | 'day';

/**
 * How often something happened in an hour or a day, in UTC (ADR 78). Holds no personal data, and
 * words of the service only: names and values are declared, and `source` is the id of a thing of
 * the organization.
 */
@Entity('activity_counts')
@Index('activity_counts_span_idx', ['span', 'startsAt'])
export class CountEntity {
  /** The empty text for the platform. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly span!: Span;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly name!: string;

  @PrimaryColumn(TIMESTAMP)
  readonly startsAt!: Date;

  /** Webhook, connection or directory; the empty text for none. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly source!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly value!: string;

  @Column({ type: 'bigint' })
  readonly count!: string;
}
