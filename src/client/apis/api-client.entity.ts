import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/** Scopes of an API that a client can have: a registered client, or a service account. */
@Entity('api_clients')
@Index('api_clients_client_idx', ['clientId'])
export class ApiClientEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly apiId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly clientId!: string;

  @Column({ type: 'text', array: true })
  readonly scopes!: string[];
}
