import { Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/** A client whose tokens are refused. */
@Entity('disabled_clients')
export class DisabledClientEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly clientId!: string;
}
