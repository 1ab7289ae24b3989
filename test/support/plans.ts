import { AsyncLocalStorage } from 'node:async_hooks';
import { Server } from 'node:http';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { Primary } from '../../src/platform/database/index.js';
import type { TestApp } from './test-app.js';

/** A node of a plan, as PostgreSQL explains it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A statement with its parameters. */
export type Statement = readonly [sql: string, parameters: readonly unknown[]];

const CONTROLS_TRANSACTION = /^(START TRANSACTION|COMMIT|ROLLBACK)/;

/** Marks the recorded work and the requests it sends, but not background work. */
const inWork = new AsyncLocalStorage<true>();

/**
 * Records the statements that some work sends, without those that begin and end transactions, and
 * without those of background work.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  return (await record(work)).map(({ statement }) => statement);
}

/**
 * Records the statements of one transaction.
 * @param mark a statement that only this transaction sends; what other transactions send next to it
 *   is left out
 */
export async function statementsOfTransaction(
  work: () => Promise<unknown>,
  mark: RegExp,
): Promise<Statement[]> {
  const sent = await record(work);
  const marked = sent.find(({ statement: [sql] }) => mark.test(sql));
  return sent.filter(({ runner }) => runner === marked?.runner).map(({ statement }) => statement);
}

/** A query of a connection or query runner. */
interface Query {
  readonly given: readonly unknown[];
  readonly by: object;
}

interface Connection {
  query(...given: unknown[]): unknown;
}

/** Records each statement with the query runner that sent it: a transaction has one of its own. */
async function record(
  work: () => Promise<unknown>,
): Promise<{ readonly statement: Statement; readonly runner: object }[]> {
  const queries = await queriesOf(PostgresQueryRunner, work);
  return queries
    .map(({ given: [sql, parameters], by }) => ({
      statement: [sql as string, (parameters as unknown[] | undefined) ?? []] as const,
      runner: by,
    }))
    .filter(({ statement: [sql] }) => !CONTROLS_TRANSACTION.test(sql));
}

/** Records the queries that some work and the requests it sends make through a class. */
export async function queriesOf(
  { prototype }: { readonly prototype: object },
  work: () => Promise<unknown>,
): Promise<Query[]> {
  const queries: Query[] = [];
  const { query } = prototype as Connection;
  const { emit } = Server.prototype;
  const sending = jest.spyOn(prototype as Connection, 'query').mockImplementation(function (
    this: Connection,
    ...given
  ) {
    if (inWork.getStore()) queries.push({ given, by: this });
    return query.apply(this, given);
  });
  const arriving = jest.spyOn(Server.prototype, 'emit').mockImplementation(function (this: Server, ...event) {
    return inWork.run(true, () => emit.apply(this, event));
  });
  try {
    await inWork.run(true, work);
  } finally {
    sending.mockRestore();
    arriving.mockRestore();
  }
  return queries;
}

/**
 * Leaves out of a recording what a new connection asks its server: whether one is made depends on
 * what else uses the pool.
 */
export function leaveOutNewConnections(recording: AsyncLocalStorage<unknown>): void {
  const { admit } = Primary.prototype;
  jest.spyOn(Primary.prototype, 'admit').mockImplementation(function (this: Primary, ...given) {
    return recording.exit(() => admit.apply(this, given));
  });
}

/** Returns the nodes of a statement's plan; `how` are options of EXPLAIN. */
export async function planOf(
  app: TestApp,
  [sql, parameters]: Statement,
  how = 'FORMAT JSON',
): Promise<PlanNode[]> {
  const [row] = await app.sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`EXPLAIN (${how}) ${sql}`, [
    ...parameters,
  ]);
  const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan));
}

/** Returns the tables that some work scans sequentially, each with its statement. */
export async function readWhole(
  app: TestApp,
  statements: readonly Statement[],
): Promise<{ table: string; sql: string }[]> {
  const whole: { table: string; sql: string }[] = [];
  for (const statement of statements)
    for (const node of await planOf(app, statement))
      if (node['Node Type'] === 'Seq Scan')
        whole.push({ table: node['Relation Name'] ?? '', sql: statement[0] });
  return whole;
}
