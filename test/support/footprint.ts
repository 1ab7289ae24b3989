import type { Organization } from './organization.js';

/** Number of rows and their digest, by table. */
type Footprint = Record<string, { readonly count: number; readonly digest: string }>;

/**
 * Digests everything that the database keeps of an organization: the rows of every table with a
 * tenant_id, and what its owner did. Leaves out streams, chains and counts of events, which grow in
 * the background. Two footprints are equal when nothing was changed, added or removed between them.
 */
export async function footprintOf({ service, id, owner }: Organization): Promise<Footprint> {
  const tables = await service.sql<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND NOT a.attisdropped
       AND a.attname = 'tenant_id' AND c.relname !~ '^(event|audit)_(anchors|chains|entries|streams)|^activity_counts'`,
  );
  const parts = [
    part('tenants', 'tenants', 'id = $1'),
    part("owner's account", 'accounts', 'id = $2'),
    part("owner's sessions", 'sessions', 'account_id = $2'),
    part("owner's grants", 'grants', 'account_id = $2'),
    part("owner's audit trail", 'audit_events', 'account_id = $2'),
    ...tables.map(({ name }) => part(name, name, 'tenant_id = $1')),
  ];
  const rows = await service.sql<{ part: string; count: number; digest: string }>(parts.join(' UNION ALL '), [
    id,
    owner.person.id,
  ]);
  return Object.fromEntries(rows.map(({ part: name, ...rest }) => [name, rest]));
}

function part(name: string, table: string, condition: string): string {
  return `SELECT $$${name}$$ AS part, count(*)::int AS count, md5(coalesce(string_agg(t::text, ' ' ORDER BY t::text), '')) AS digest
    FROM ${table} t WHERE ${condition}`;
}
