/** As many clients of the service, and of the database instead of it, as the service has connections to its database. */
const CONNECTIONS = 10;

/**
 * The service beside pgbench with the same statements.
 * @param ours puts a load on the service
 */
export async function besideSql(bench, ours, pgbench) {
  const how = { connections: CONNECTIONS, seconds: bench.seconds };
  await bench.warm(() => ours(how));
  return bench.paired(
    () => ours(how),
    () => pgbench.run(how),
  );
}
