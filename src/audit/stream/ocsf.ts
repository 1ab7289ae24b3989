import type { AuditEvent } from '../../iam/index.js';

/** Version of the Open Cybersecurity Schema Framework (schema.ocsf.io). */
const VERSION = '1.8.0';
const PRODUCT = { name: 'Gatehouse', vendor_name: 'Gatehouse' };
const SERVICE = { name: PRODUCT.name };

/** An event of the audit trail, at its place in the chain. */
export interface ChainedEvent extends AuditEvent {
  readonly sequence: number;
  readonly hash: string;
  readonly detailsHash: string | null;
  /** As the hash covers it. */
  readonly record: string;
}

const CLASSES = { accountChange: 3001, authentication: 3002, userAccess: 3005, apiActivity: 6003 } as const;
/** Activity of each class for what the schema has no other for. */
const OTHER = 99;
const INFORMATIONAL = 1;
const MEDIUM = 3;

type Activity = readonly [name: keyof typeof CLASSES, activity: number];

/** Actions with an activity in the schema; others follow from their name. */
const ACTIVITIES: Readonly<Record<string, Activity>> = {
  'session.started': ['authentication', 1],
  'worker.signed-in': ['authentication', 1],
  'account.sign-in-failed': ['authentication', 1],
  'session.ended': ['authentication', 2],
  'account.created': ['accountChange', 1],
  'worker.created': ['accountChange', 1],
  'account.restored': ['accountChange', 2],
  'person.restored': ['accountChange', 2],
  'account.password-changed': ['accountChange', 3],
  'account.password-reset': ['accountChange', 4],
  'person.password-reset-sent': ['accountChange', 4],
  'account.suspended': ['accountChange', 5],
  'person.suspended': ['accountChange', 5],
  'account.erased': ['accountChange', 6],
  'person.erased': ['accountChange', 6],
  'worker.deleted': ['accountChange', 6],
  'worker.pin-locked': ['accountChange', 9],
  'account.totp-blocked': ['accountChange', 9],
  'account.totp-added': ['accountChange', 10],
  'account.passkey-added': ['accountChange', 10],
  'account.totp-removed': ['accountChange', 11],
  'account.passkey-removed': ['accountChange', 11],
  'account.authenticators-reset': ['accountChange', 11],
  'account.became-operator': ['userAccess', 1],
  'account.ceased-as-operator': ['userAccess', 2],
  'member.joined': ['userAccess', 1],
  'member.became-owner': ['userAccess', 1],
  'member.restored': ['userAccess', 1],
  'member.suspended': ['userAccess', 2],
  'member.removed': ['userAccess', 2],
  'member.left': ['userAccess', 2],
};

/** Class of actions by what comes before the dot; others are calls of the API. */
const CLASS_OF_THING: Readonly<Record<string, keyof typeof CLASSES>> = {
  account: 'accountChange',
  person: 'accountChange',
  session: 'authentication',
  worker: 'accountChange',
  member: 'userAccess',
};

const CREATES = /(?:created|added|registered|issued|started|imported)$/;
const READS = /(?:read|searched|exported)$/;
const DELETES = /(?:deleted|removed|revoked|ended|withdrawn)$/;
/** Roles that members get or lose on single things. */
const ASSIGNMENTS = /^role\.(?:un)?assigned$/;
/** What a person should look at. */
const SUSPICIOUS = /(?:failed|reused|leaked|blocked|pin-locked|in-emergency)$/;

function activityOf(action: string): Activity {
  const known = ACTIVITIES[action];
  if (known) return known;
  if (ASSIGNMENTS.test(action)) return ['userAccess', action.endsWith('.assigned') ? 1 : 2];
  const category = CLASS_OF_THING[action.slice(0, action.indexOf('.'))];
  if (category) return [category, OTHER];
  if (CREATES.test(action)) return ['apiActivity', 1];
  if (READS.test(action)) return ['apiActivity', 2];
  return ['apiActivity', DELETES.test(action) ? 4 : 3];
}

/** Returns an event in the form of OCSF. */
export function toOcsf(event: ChainedEvent): object {
  const { action, actorId, subject, createdAt, tenantId, impersonatorId, ticket, details } = event;
  const [name, activity] = activityOf(action);
  const classUid = CLASSES[name];
  const id = subject?.slice(subject.lastIndexOf('/') + 1);
  return {
    category_uid: Math.floor(classUid / 1_000),
    class_uid: classUid,
    activity_id: activity,
    ...(activity === OTHER && { activity_name: action }),
    type_uid: classUid * 100 + activity,
    time: createdAt.getTime(),
    severity_id: SUSPICIOUS.test(action) ? MEDIUM : INFORMATIONAL,
    status_id: action.endsWith('failed') ? 2 : 1,
    message: action,
    metadata: {
      version: VERSION,
      product: PRODUCT,
      uid: event.id,
      sequence: event.sequence,
      event_code: action,
      log_name: 'audit',
      ...(tenantId !== null && { tenant_uid: tenantId }),
    },
    actor: { user: { uid: actorId } },
    ...partsOf(name, event, id),
    raw_data: event.record,
    unmapped: {
      hash: event.hash,
      details_hash: event.detailsHash,
      ...(subject !== null && { subject }),
      ...(impersonatorId !== null && { impersonator_id: impersonatorId }),
      ...(ticket !== null && { ticket }),
      ...(details !== null && { details }),
    },
  };
}

/** Returns what only one class has. */
function partsOf(
  name: keyof typeof CLASSES,
  { action, actorId, subject }: ChainedEvent,
  id: string | undefined,
): object {
  switch (name) {
    case 'authentication':
      return {
        user: { uid: actorId },
        service: SERVICE,
        is_remote: true,
        ...(id !== undefined && subject?.startsWith('iam/sessions/') && { session: { uid: id } }),
      };
    case 'accountChange':
      return { user: { uid: id ?? actorId } };
    case 'userAccess':
      return { user: { uid: id ?? actorId }, privileges: [action] };
    case 'apiActivity':
      return {
        api: { operation: action, service: SERVICE },
        // Required by the schema. The trail has no addresses of people.
        src_endpoint: { name: 'not recorded' },
        ...(subject !== null && { resources: [{ uid: subject }] }),
      };
  }
}
