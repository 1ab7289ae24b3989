import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT } from '../database/index.js';

/** How much of a budget its holder, such as an organization, has used on a day in UTC. */
@Entity('daily_uses')
@Index('daily_uses_day_idx', ['day'])
export class DailyUseEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly kind!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly holder!: string;

  @PrimaryColumn({ type: 'date' })
  readonly day!: string;

  @Column({ type: 'int' })
  readonly used!: number;
}
