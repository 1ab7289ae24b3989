import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

export const AGENT_CLIENTS = ['off', 'listed', 'any'] as const;

/** Which clients by metadata document may act: none, those that are listed, or any. */
export type AgentClients = (typeof AGENT_CLIENTS)[number];

/** What an organization, or the platform, allows of clients by metadata document. */
@Entity('agent_policies')
@Index('agent_policies_tenant_idx', ['tenantId'])
export class AgentPolicyEntity {
  /** Id of the organization, or {@link PLATFORM}. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  @Column(BYTEWISE_TEXT)
  readonly clients!: AgentClients;

  /** Client ids, and origins that stand for each client id of theirs. */
  @Column({ type: 'text', array: true })
  readonly listed!: string[];

  /** Scopes of APIs, as `<id of the API>/<name>`; `<id of the API>/` for the API itself. */
  @Column({ type: 'text', array: true })
  readonly scopes!: string[];

  /** Days after which an agent must ask the person again; null for the end of their session. */
  @Column({ type: 'int', nullable: true })
  readonly maxDays!: number | null;
}
