import { firstIdAt } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { columnsOf } from '../../platform/database/index.js';
import type { AuditQuery } from './audit-query.dto.js';
import { AuditEventEntity } from './audit-event.entity.js';

/** What events of a tenant are listed; each field has an index (ADR 29). */
export interface EventFilter extends Omit<AuditQuery, 'personId' | 'query'> {
  /** Only what one of them did, or what was done to one of them. */
  readonly people?: readonly string[] | undefined;
}

/** The most that the clock of a replica, in ids, and the database's differ. */
const CLOCK_SKEW_MS = 300_000;

const EVENT = {
  id: true,
  actorId: true,
  impersonatorId: true,
  action: true,
  createdAt: true,
  tenantId: true,
  subject: true,
  ticket: true,
} as const;

/** Columns of an event, with its details. */
export const COLUMNS = `${columnsOf(AuditEventEntity, '', EVENT)}, (SELECT d.details FROM audit_details d WHERE d.event_id = audit_events.id) AS details`;

/**
 * Returns the statement of a list, and its values from $2 on.
 * @param whose condition on $1
 */
export function select(
  whose: string,
  { limit, after }: Page,
  filter: EventFilter,
): { sql: string; values: unknown[] } {
  const { from, to, action, group, actorId, subject, by, people } = filter;
  const parts: readonly (readonly [sql: string, value: unknown])[] = [
    ['id < $', after],
    ['action = $', action],
    ["split_part(action, '.', 1) = $", group],
    ['account_id = $', actorId],
    ['subject = $', subject],
    // The range of ids is what the index finds.
    ['id >= $', from && firstIdAt(Date.parse(from) - CLOCK_SKEW_MS)],
    ['created_at >= $', from],
    ['id < $', to && firstIdAt(Date.parse(to) + CLOCK_SKEW_MS)],
    ['created_at < $', to],
  ];
  const given = parts.filter(([, value]) => value !== undefined && value !== null);
  const each = [whose, ...given.map(([sql], n) => `${sql}${n + 2}`)];
  const conditions = each.join(' AND ');
  const values = [...given.map(([, value]) => value), limit + 1];
  const rest = `ORDER BY id DESC LIMIT $${values.length + 1}`;
  // Range and order suit one index. For other comparisons, the planner took an index without the
  // tenant, or read all rows of a tenant, where it expected few.
  const isOfTenant = whose.startsWith('tenant_id');
  const newestWith = (column: string, value: string, where = conditions): string => {
    const [key, end] = isOfTenant ? [`(tenant_id, ${column})`, `($1, ${value})`] : [column, value];
    return `(SELECT id FROM audit_events WHERE ${where} AND ${key} >= ${end} AND ${key} <= ${end}
      ORDER BY ${isOfTenant ? 'tenant_id DESC, ' : ''}${column} DESC, id DESC LIMIT $${given.length + 2}) event`;
  };
  const ids = people && `$${values.push(people) + 1}::text[]`;
  if (by !== undefined) {
    const [, via] = /^iam\/partnerships\/(.+)$/.exec(by) ?? [];
    // Other organizations may have a thing of this name. A range of one tenant leaves only the
    // index with tenants in this order; for equality, the planner took the index of all tenants.
    const [ofTenant, order] = isOfTenant
      ? ['AND tenant_id BETWEEN $1 AND $1', 'tenant_id DESC, event_id DESC']
      : ['', 'event_id DESC'];
    const bounds = each.flatMap((sql) => (sql.startsWith('id ') ? [`AND event_${sql}`] : []));
    const key = `details ->> '${via === undefined ? 'on' : 'via'}'`;
    const value = `$${values.push(via ?? by) + 1}`;
    const ofPeople =
      ids && ` AND (account_id = ANY(${ids}) OR subject IN (SELECT path || person FROM ${pathsOf(ids)}))`;
    const found = `SELECT event.id FROM audit_details detail, LATERAL (SELECT id FROM audit_events
      WHERE ${conditions}${ofPeople ?? ''} AND id = detail.event_id LIMIT 1) event
      WHERE ${key} = ${value} ${ofTenant} ${bounds.join(' ')} ORDER BY ${order} LIMIT $${given.length + 2}`;
    return { sql: eventsIn(found, rest), values };
  }
  if (ids) {
    const found = `SELECT event.id FROM unnest(${ids}) asked (person), LATERAL ${newestWith('account_id', 'person')}
      UNION SELECT event.id FROM ${pathsOf(ids)},
        LATERAL ${newestWith('subject', '(path || person)')}`;
    return { sql: eventsIn(found, rest), values };
  }
  if (group !== undefined && action === undefined && actorId === undefined && subject === undefined) {
    // Its condition on events would have the planner expect few of each action, and read all.
    const isGroup = (sql: string): boolean => sql.startsWith('split_part');
    const others = each.filter((sql) => !isGroup(sql)).join(' AND ');
    const ofGroup = `split_part(name, '.', 1) = $${given.findIndex(([sql]) => isGroup(sql)) + 2}`;
    const first = `SELECT action FROM audit_events WHERE ${whose}`;
    const found = `WITH RECURSIVE actions (name) AS (
        (${first} ORDER BY action LIMIT 1)
        UNION ALL SELECT (${first} AND action > name ORDER BY action LIMIT 1) FROM actions WHERE name IS NOT NULL)
      SELECT event.id FROM actions, LATERAL ${newestWith('action', 'name', others)} WHERE ${ofGroup}`;
    return { sql: eventsIn(found, rest), values };
  }
  return { sql: `SELECT ${COLUMNS} FROM audit_events WHERE ${conditions} ${rest}`, values };
}

/** Where people are subjects of events: what comes before their ids. @param ids SQL of the ids */
const pathsOf = (ids: string): string =>
  `unnest(${ids}) asked (person), unnest(ARRAY['iam/members/', 'iam/accounts/']) collection (path)`;

/** Reads the newest events of those that few ranges of an index have. */
const eventsIn = (found: string, rest: string): string =>
  `SELECT ${COLUMNS} FROM audit_events WHERE id IN (SELECT id FROM (${found}) found ${rest}) ${rest}`;
