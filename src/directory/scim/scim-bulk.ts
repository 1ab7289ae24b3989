import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/index.js';
import { type Attributes, isComplex } from './attributes.js';
import { ScimError } from './scim-error.js';
import { MAX_BULK_OPERATIONS } from './discovery.js';
import { goneAfter, refusalOf, type ScimAnswer, type ScimCall } from './scim-call.js';
import { ScimGroups, type ScimRecords, ScimUsers } from './scim-records.js';

const RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';
/** Refusals of an operation that hold for each one after it. */
const ENDING: ReadonlySet<string> = new Set(['too-many-requests', 'unauthenticated']);
const METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly bulkId: string | null;
  readonly version: string | null;
  readonly data: unknown;
}

interface Outcome {
  readonly index: number;
  readonly operation: Operation;
  readonly answer: ScimAnswer;
}

/** Path of an operation, which the log stores: without a query, and without U+0000. */
const PATH = /^\/(?:Users|Groups)(?:\/[^/?#\p{Cc}]+)?$/u;

/** Runs bulk requests. */
@Injectable()
export class ScimBulk {
  constructor(
    private readonly users: ScimUsers,
    private readonly groups: ScimGroups,
  ) {}

  /**
   * Runs the operations of a bulk request (RFC 7644 section 3.7), each in its own transaction. An
   * operation that refers to a bulkId waits for the one that creates it. In a cycle, which only
   * groups of groups could form, none can begin: each is refused. Each operation counts for the
   * rate limit: once it is used up, the rest is answered with 429 one by one; with 401, once the
   * token has ended. Stops once the caller has gone; what was done stays done.
   * @throws {ScimError} 400 for a body that is no bulk request; 413 over the limit of operations
   */
  async run(call: ScimCall): Promise<ScimAnswer> {
    const { operations, failOnErrors } = requestOf(call.body);
    const ids = new Map<string, string>();
    const failed = new Set<string>();
    const outcomes: Outcome[] = [];
    const offered = new Set(operations.flatMap(({ bulkId }) => bulkId ?? []));
    const refs = operations.map(refsOf);
    let waiting = operations.map((operation, index) => ({ operation, index }));
    let errors = 0;
    let refused: ScimAnswer | null = null;
    while (waiting.length > 0 && errors < failOnErrors) {
      const known = new Set([...ids.keys(), ...failed]);
      const isReady = ({ index }: (typeof waiting)[number]): boolean =>
        (refs[index] ?? []).every((ref) => known.has(ref) || !offered.has(ref));
      const ready = waiting.filter(isReady);
      const now = ready.length > 0 ? ready : waiting;
      waiting = waiting.filter((one) => !now.includes(one));
      for (const { operation, index } of now) {
        if (errors >= failOnErrors) break;
        if (call.caller.isGone())
          return { ...goneAfter(outcomes.length, operations.length), refusals: refusalsOf(outcomes) };
        if (outcomes.length > 0) refused ??= await refusalOfNext(call);
        const answer = refused ?? (await this.answerOf(call, operation, ids));
        const isFailed = answer.status >= 400;
        if (isFailed) errors += 1;
        if (operation.bulkId !== null) {
          if (isFailed) failed.add(operation.bulkId);
          else ids.set(operation.bulkId, String((answer.body as Attributes | undefined)?.['id']));
        }
        outcomes.push({ index, operation, answer });
      }
    }
    const sorted = outcomes.toSorted((a, b) => a.index - b.index);
    const results = sorted.map(({ operation, answer }) => resultOf(operation, answer, call.baseUrl));
    return {
      status: 200,
      body: { schemas: [RESPONSE], Operations: results },
      ...(refused?.headers && { headers: refused.headers }),
      refusals: refusalsOf(sorted),
    };
  }

  private async answerOf(
    call: ScimCall,
    { method, path, version, data }: Operation,
    ids: ReadonlyMap<string, string>,
  ): Promise<ScimAnswer> {
    try {
      const [, type, id] = (resolve(path, ids) as string).split('/');
      const one = { ...call, body: resolve(data, ids), ifMatch: version, ifNoneMatch: null };
      return await operate(type === 'Users' ? this.users : this.groups, method, one, id);
    } catch (error) {
      if (error instanceof ScimError) return error.toAnswer();
      throw error;
    }
  }
}

/** @throws {ScimError} 405 for a method that the path does not take */
function operate(
  resource: ScimRecords<unknown>,
  method: string,
  call: ScimCall,
  id: string | undefined,
): Promise<ScimAnswer> {
  if (id === undefined && method === 'POST') return resource.create(call);
  if (id !== undefined && method === 'PUT') return resource.replace(call, id);
  if (id !== undefined && method === 'PATCH') return resource.patch(call, id);
  if (id !== undefined && method === 'DELETE') return resource.remove(call, id);
  const allow = id === undefined ? 'GET, POST' : 'GET, PUT, PATCH, DELETE';
  throw new ScimError(405, null, `This path takes ${allow}.`);
}

/** Lists the refused operations for the log; of those that were not begun, the first. */
function refusalsOf(outcomes: readonly Outcome[]): NonNullable<ScimAnswer['refusals']> {
  const listed = new Set<ScimAnswer>();
  return outcomes
    .filter(({ answer }) => answer.status >= 400 && !listed.has(answer) && listed.add(answer))
    .map(({ operation: { method, path }, answer }) => ({ method, path, answer }));
}

/** Begins one more operation. @returns the refusal if the caller may do no more */
async function refusalOfNext({ caller }: ScimCall): Promise<ScimAnswer | null> {
  try {
    await caller.beginOperation();
    return null;
  } catch (error) {
    if (error instanceof ScimError) return error.toAnswer();
    if (!(error instanceof AppError) || !ENDING.has(error.code)) throw error;
    return refusalOf(error);
  }
}

function resultOf({ method, path, bulkId }: Operation, answer: ScimAnswer, baseUrl: string): object {
  const { id, meta } = (answer.body ?? {}) as { id?: string; meta?: { location?: string; version?: string } };
  const location =
    meta?.location ?? (method === 'POST' || id !== undefined ? undefined : `${baseUrl}${path}`);
  return {
    method,
    ...(bulkId !== null && { bulkId }),
    ...(location !== undefined && { location }),
    ...(meta?.version !== undefined && { version: meta.version }),
    status: String(answer.status),
    ...(answer.status >= 400 && { response: answer.body }),
  };
}

function requestOf(body: unknown): { operations: Operation[]; failOnErrors: number } {
  if (!isComplex(body)) throw invalid('The body must be an object.');
  const { Operations: given, failOnErrors = Infinity } = body;
  if (!Array.isArray(given) || given.length === 0) throw invalid('Operations must be a list.');
  if (given.length > MAX_BULK_OPERATIONS)
    throw new ScimError(413, null, `A request can have ${MAX_BULK_OPERATIONS} operations.`);
  if (typeof failOnErrors !== 'number' || failOnErrors < 1) throw invalid('failOnErrors must be 1 or more.');
  const operations = given.map(operationOf);
  const names = operations.flatMap(({ bulkId }) => bulkId ?? []);
  if (new Set(names).size < names.length) throw invalid('Each bulkId must be unique.');
  return { operations, failOnErrors };
}

function operationOf(given: unknown): Operation {
  const { method, path, bulkId, version, data } = isComplex(given) ? given : {};
  const verb = typeof method === 'string' ? method.toUpperCase() : '';
  if (!METHODS.has(verb)) throw invalid('method must be POST, PUT, PATCH or DELETE.');
  if (typeof path !== 'string' || !PATH.test(path)) throw invalid('path must be below /Users or /Groups.');
  if (verb === 'POST' && (typeof bulkId !== 'string' || bulkId === '')) throw invalid('POST needs a bulkId.');
  return {
    method: verb,
    path,
    bulkId: typeof bulkId === 'string' ? bulkId : null,
    version: typeof version === 'string' ? version : null,
    data,
  };
}

const REF = /^bulkId:(.+)$/;
const refOf = (text: string): string | undefined => REF.exec(text)?.[1];

/** Lists the bulkIds that an operation refers to, in its path and its data. */
function refsOf({ path, data }: Operation): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') found.push(...[refOf(value)].filter((ref) => ref !== undefined));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(path.split('/'));
  visit(data);
  return found;
}

/** Replaces references by ids. @throws {ScimError} 400 for one that nothing created */
function resolve(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    if (value.startsWith('/'))
      return value
        .split('/')
        .map((part) => resolve(part, ids))
        .join('/');
    const ref = refOf(value);
    if (ref === undefined) return value;
    const id = ids.get(ref);
    if (id === undefined) throw new ScimError(400, 'invalidValue', `Nothing was created as bulkId:${ref}.`);
    return id;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => resolve(item, ids));
  if (!isComplex(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolve(part, ids)]));
}

const invalid = (detail: string): ScimError => new ScimError(400, 'invalidSyntax', detail);
