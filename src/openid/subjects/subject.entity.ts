import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/** Identifier by which the clients of a sector know a person (OpenID Connect Core section 8.1). */
@Entity('oidc_subjects')
@Unique('oidc_subjects_subject_unique', ['subject'])
export class SubjectEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly sector!: string;

  @Column(BYTEWISE_TEXT)
  readonly subject!: string;
}
