import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { WakingLoop } from '../../src/platform/events/waking-loop.js';
import type { TestApp } from './test-app.js';

/** A node of a plan, as PostgreSQL explains it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A statement with its parameters. */
export type Statement = readonly [sql: string, parameters: readonly unknown[]];

const CONTROLS_TRANSACTION = /^(START TRANSACTION|COMMIT|ROLLBACK)/;

/**
 * Keeps the events of applications that start from here on where they are: their loops would send
 * statements between those of a request.
 */
export function holdEvents(): void {
  jest.spyOn(WakingLoop.prototype, 'start').mockReturnValue(undefined);
}

/** Records the statements that some work sends, without those that begin and end transactions. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  return (await record(work)).map(({ statement }) => statement);
}

/**
 * Records the statements of one transaction.
 * @param mark a statement that only this transaction sends; what other transactions and background
 *   work send beside it is left out
 */
export async function statementsOfTransaction(
  work: () => Promise<unknown>,
  mark: RegExp,
): Promise<Statement[]> {
  const sent = await record(work);
  const marked = sent.find(({ statement: [sql] }) => mark.test(sql));
  return sent.filter(({ runner }) => runner === marked?.runner).map(({ statement }) => statement);
}

/** Records each statement with the query runner that sent it: a transaction has one of its own. */
async function record(
  work: () => Promise<unknown>,
): Promise<{ statement: Statement; runner: PostgresQueryRunner | undefined }[]> {
  const spy = jest.spyOn(PostgresQueryRunner.prototype, 'query');
  await work();
  const sent = spy.mock.calls.map(([sql, parameters], index) => ({
    statement: [sql, (parameters as unknown[] | undefined) ?? []] as const,
    runner: spy.mock.contexts[index],
  }));
  spy.mockRestore();
  return sent.filter(({ statement: [sql] }) => !CONTROLS_TRANSACTION.test(sql));
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
