import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, TIMESTAMP } from '../database/index.js';

/** A process that works on jobs, and when it was last seen. */
@Entity('job_runners')
export class JobRunnerEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(TIMESTAMP)
  readonly seenAt!: Date;
}
