/** One statement that has a plan: the deadline of a commit is a SELECT that comes with COMMIT. */
const EXPLAINED = /^(?:select|with|insert|update|delete)\b(?!.*;\s*commit$)/is;

/**
 * Returns the tables that statements scan sequentially, of those that grow with the number of
 * people.
 */
export async function readWhole(query, statements) {
  const whole = new Set();
  for (const { sql, parameters } of statements.filter((statement) => EXPLAINED.test(statement.sql))) {
    const [row] = await query(`EXPLAIN (FORMAT JSON) ${sql}`, parameters);
    for (const node of row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)))
      if (node['Node Type'] === 'Seq Scan' && GROWING.has(node['Relation Name']))
        whole.add(node['Relation Name']);
  }
  return [...whole];
}

/** Tables that the benchmark fills; a sequential scan of an empty table is right. */
const GROWING = new Set([
  'accounts',
  'directory_groups',
  'directory_users',
  'external_identities',
  'grants',
  'member_roles',
  'members',
  'roles',
  'sessions',
  'tenants',
]);

const nodesOf = (node) => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
