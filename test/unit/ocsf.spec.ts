import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import '../../src/app.module.js';
import { type ChainedEvent, toOcsf } from '../../src/audit/stream/ocsf.js';
import { recordedActions } from '../../src/iam/index.js';
import type { TenantId, UserId } from '../../src/kernel/index.js';
import { ACTIONS_WITHOUT_EVENT } from '../support/route-events.js';

const OCSF = join(__dirname, '../support/ocsf-1.8.0.schema.json');
const validate = new Ajv2020({ allErrors: true, strict: false }).compile(
  JSON.parse(readFileSync(OCSF, 'utf8')) as object,
);
/** What an event does not have as the schema of OCSF 1.8.0 says. */
const faultsOf = (made: object): unknown[] => (validate(made) ? [] : [...(validate.errors ?? [])]);

interface OcsfEvent {
  readonly class_uid: number;
  readonly activity_id: number;
  readonly activity_name?: string;
  readonly category_uid: number;
  readonly type_uid: number;
  readonly severity_id: number;
  readonly status_id: number;
  readonly time: number;
  readonly user?: { readonly uid: string };
  readonly unmapped: object;
}

const event = (action: string, changes: Partial<ChainedEvent> = {}): OcsfEvent =>
  toOcsf({
    sequence: 7,
    hash: 'ab',
    detailsHash: null,
    record: '[]',
    id: '01K3V9D7Q8Z4X5N6M7P8R9S0T0',
    action,
    actorId: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' as UserId,
    tenantId: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' as TenantId,
    subject: 'iam/members/01K3V9D7Q8Z4X5N6M7P8R9S0T3',
    impersonatorId: null,
    ticket: null,
    createdAt: new Date(1_700_000_000_123),
    details: null,
    ...changes,
  }) as OcsfEvent;

describe('An event in the form of OCSF', () => {
  const actions = [...recordedActions(), ...Object.keys(ACTIONS_WITHOUT_EVENT)].toSorted();

  it.each(actions)('has what its class requires: %s', (action) => {
    for (const subject of ['iam/members/01K3V9D7Q8Z4X5N6M7P8R9S0T3', null]) {
      const made = event(action, { subject });
      expect(faultsOf(made)).toEqual([]);
      if (made.activity_id === 99) expect(made.activity_name).toBe(action);
      expect(made.activity_id).toBeGreaterThan(0);
    }
  });

  it.each([
    ['another version', { metadata: { version: '1.7.0', product: { name: 'Gatehouse' } } }],
    ['an activity that the class does not have', { activity_id: 8, type_uid: 300_208 }],
    ['a type of another class', { type_uid: 300_101 }],
    ['a time in text', { time: '2026-01-01T00:00:00Z' }],
    ['a user who is not named', { user: {} }],
    ['an attribute that the class does not have', { privileges: ['x'] }],
    ['neither service nor destination', { service: undefined }],
  ])('would not be valid with %s', (_, changes) => {
    const made = JSON.parse(JSON.stringify({ ...event('session.started'), ...changes })) as object;
    expect(faultsOf(event('session.started'))).toEqual([]);
    expect(faultsOf(made)).not.toEqual([]);
  });

  it.each([
    ['session.started', 300_201, 1, 1],
    ['session.ended', 300_202, 1, 1],
    ['account.sign-in-failed', 300_201, 3, 2],
    ['session.refresh-token-reused', 300_299, 3, 1],
    ['account.created', 300_101, 1, 1],
    ['account.password-changed', 300_103, 1, 1],
    ['account.passkey-added', 300_110, 1, 1],
    ['account.identity-linked', 300_199, 1, 1],
    ['member.joined', 300_501, 1, 1],
    ['member.removed', 300_502, 1, 1],
    ['member.roles-changed', 300_599, 1, 1],
    ['role.created', 600_301, 1, 1],
    ['person.read', 300_199, 1, 1],
    ['operator.audit-read', 600_302, 1, 1],
    ['tenant.renamed', 600_303, 1, 1],
    ['key.revoked', 600_304, 1, 1],
    ['key.leaked', 600_303, 3, 1],
  ])('maps %s to %d', (action, type, severity, status) => {
    const made = event(action);
    expect([made.type_uid, made.severity_id, made.status_id]).toEqual([type, severity, status]);
  });

  it('names who did it, to whom, where and as whom', () => {
    expect(
      event('member.removed', {
        impersonatorId: '01K3V9D7Q8Z4X5N6M7P8R9S0T4' as never,
        ticket: 'Support 1',
        details: { count: 5 } as never,
        detailsHash: 'cd',
      }),
    ).toMatchObject({
      time: 1_700_000_000_123,
      message: 'member.removed',
      metadata: {
        version: '1.8.0',
        uid: '01K3V9D7Q8Z4X5N6M7P8R9S0T0',
        sequence: 7,
        event_code: 'member.removed',
        tenant_uid: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
      },
      actor: { user: { uid: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' } },
      user: { uid: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' },
      raw_data: '[]',
      unmapped: {
        hash: 'ab',
        details_hash: 'cd',
        subject: 'iam/members/01K3V9D7Q8Z4X5N6M7P8R9S0T3',
        impersonator_id: '01K3V9D7Q8Z4X5N6M7P8R9S0T4',
        ticket: 'Support 1',
        details: { count: 5 } as never,
      },
    });
  });

  it('leaves out what there is not', () => {
    const made = event('tenant.renamed', { tenantId: null, subject: null });
    expect(made).not.toHaveProperty('metadata.tenant_uid');
    expect(made).not.toHaveProperty('resources');
    expect(made.unmapped).toEqual({ hash: 'ab', details_hash: null });
    expect(event('account.created', { subject: null }).user).toEqual({ uid: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' });
  });
});
