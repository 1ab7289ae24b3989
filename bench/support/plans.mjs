const EXPLAINED = /^(?:select|with|insert|update|delete)\b/i;

/** The tables that statements read from end to end, of those that grow with the number of people. */
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

/** Those that the benchmark fills; what is empty is rightly read whole. */
const GROWING = new Set(['accounts', 'grants', 'member_roles', 'members', 'roles', 'sessions', 'tenants']);

const nodesOf = (node) => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
