/**
 * Number of clients of the service, and of pgbench: the number of the service's database
 * connections.
 */
const CONNECTIONS = 10;

/**
 * Measures the service against pgbench with the same statements.
 * @param ours applies a load to the service
 */
export async function besideSql(bench, ours, pgbench) {
  const how = { connections: CONNECTIONS, seconds: bench.seconds };
  await bench.warm(() => ours(how));
  return bench.paired(
    () => ours(how),
    () => pgbench.run(how),
  );
}
