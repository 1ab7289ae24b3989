import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { scimPatch, type ScimPatchOperation } from 'scim-patch';
import SCIMMY from 'scimmy';
import { USER_SCHEMA } from '../support/scim-directory.js';
import { type Attributes, isComplex } from '../../src/directory/scim/attributes.js';
import { applyPatch } from '../../src/directory/scim/patch.js';

const LISTS = 10_000;
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

type Email = { value: string; type: string; primary?: boolean };
interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path?: string;
  readonly value?: unknown;
}
/** A resource, or null for a refusal. */
type Outcome = Attributes | null;
interface Step {
  readonly before: Attributes;
  readonly operation: Operation;
  readonly ours: Outcome;
  readonly theirs: Outcome;
}

const texts = fc.constantFrom('a', 'b', 'Ada');
const types = fc.constantFrom('work', 'home');
const email: fc.Arbitrary<Email> = fc.record(
  { value: fc.constantFrom('a@x.example', 'b@x.example'), type: types, primary: fc.boolean() },
  { requiredKeys: ['value', 'type'] },
);
/** Addresses that differ, of which one at most is primary. */
const emails = fc
  .uniqueArray(email, { minLength: 1, maxLength: 3, selector: ({ value, type }) => value + type })
  .map((list) => {
    const chosen = list.findIndex(({ primary }) => primary);
    return list.map((one, n) => (one.primary && n !== chosen ? { ...one, primary: false } : one));
  });
const some = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [] }).filter((fields) => Object.keys(fields).length > 0);
const name = some({ givenName: texts, familyName: texts });
const resources = fc.record(
  { userName: fc.constant('ada'), active: fc.boolean(), title: texts, displayName: texts, name, emails },
  { requiredKeys: ['userName', 'active'] },
);

const setting = fc.constantFrom('add' as const, 'replace' as const);
const filters = fc.oneof(
  types.map((type) => `type eq "${type}"`),
  fc.constantFrom('primary eq true', 'value eq "a@x.example"', 'value sw "b"', 'not (type eq "work")'),
  fc.constant('type eq "work" and primary eq true'),
);
const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    op: setting,
    path: fc.constantFrom('title', 'displayName', 'name.givenName', 'name.familyName'),
    value: texts,
  }),
  fc.record({ op: setting, path: fc.constant('active'), value: fc.boolean() }),
  fc.record({ op: setting, path: fc.constant('name'), value: name }),
  fc.record({ op: setting, path: fc.constant('emails'), value: emails }),
  fc.record({
    op: setting,
    path: filters.map((filter) => `emails[${filter}].value`),
    value: fc.constantFrom('a@x.example', 'c@x.example'),
  }),
  fc.record({ op: setting, path: filters.map((filter) => `emails[${filter}]`), value: email }),
  fc.record({ op: setting, value: some({ title: texts, name, emails, active: fc.boolean() }) }),
  fc.record({
    op: fc.constant('remove' as const),
    path: fc.oneof(
      fc.constantFrom('title', 'name', 'name.givenName', 'emails'),
      filters.map((filter) => `emails[${filter}]`),
      filters.map((filter) => `emails[${filter}].primary`),
    ),
  }),
);

const emailsOf = (outcome: Outcome): Email[] => (outcome?.['emails'] as Email[] | undefined) ?? [];
const isFiltered = ({ operation: { path = '' } }: Step) => path.includes('[');
const matching = ({ before, operation: { path = '' } }: Step): boolean =>
  emailsOf(before).some(({ value, type, primary = false }) => {
    const filter = path.slice(path.indexOf('[') + 1, path.indexOf(']'));
    if (filter.startsWith('not')) return type !== 'work';
    if (filter === 'value sw "b"') return value.startsWith('b');
    return filter.split(' and ').every((part) => {
      const [key = '', , wanted = ''] = part.split(' ');
      return String({ value, type, primary }[key]) === wanted.replaceAll('"', '');
    });
  });
const valueAt = ({ operation: { path, value } }: Step, key: string): unknown =>
  path === key ? value : path === undefined && isComplex(value) ? value[key] : undefined;

const hasTwins = (list: readonly Email[]): boolean =>
  new Set(list.map(({ value, type }) => `${value} ${type}`)).size < list.length;

/** Differences from the two libraries, each with the reason for ours. */
const DIFFERENCES: Record<string, (step: Step) => boolean> = {
  'A filtered path that no element matches adds the element that the filter describes, as Entra ID expects': (
    step,
  ) => isFiltered(step) && !matching(step) && step.operation.op !== 'remove' && step.ours !== null,
  'A filtered path that no element matches, and whose filter describes none, has no target (RFC 7644 3.5.2.3)':
    (step) => isFiltered(step) && !matching(step) && step.operation.op !== 'remove' && step.ours === null,
  'To remove what is not there changes nothing': (step) =>
    step.operation.op === 'remove' &&
    isFiltered(step) &&
    !matching(step) &&
    isDeepStrictEqual(step.ours, comparable(step.before)),
  'One element at most is primary (RFC 7643 2.4)': ({ theirs, ours }) =>
    emailsOf(theirs).filter(({ primary }) => primary).length > 1 &&
    emailsOf(ours).filter(({ primary }) => primary).length <= 1,
  'An added element with the value and type of another is that one, also where one of them has no type': (
    step,
  ) => {
    const added = isFiltered(step) ? step.operation.value : valueAt(step, 'emails');
    return (
      step.operation.op === 'add' &&
      [(added ?? []) as Email[]]
        .flat()
        .some((one) =>
          emailsOf(step.before).some(
            ({ value, type = one.type }) => value === one.value && type === (one.type ?? type),
          ),
        )
    );
  },
  'A pair of value and type occurs once (RFC 7643 2.4)': ({ theirs, ours }) =>
    hasTwins(emailsOf(theirs)) && !hasTwins(emailsOf(ours)),
  'A replaced list holds what was sent alone (RFC 7644 3.5.2.3)': (step) =>
    step.operation.op === 'replace' && valueAt(step, 'emails') !== undefined,
  'A filter finds the element whose value it replaces': ({ operation: { op, path = '' }, ours, theirs }) =>
    op === 'replace' && /\[value .*\]\.value$/.test(path) && ours !== null && theirs === null,
  'Parts of a complex attribute that are not sent stay (RFC 7644 3.5.2.3)': (step) =>
    valueAt(step, 'name') !== undefined,
  'Parts of a filtered element that are not sent stay': (step) =>
    step.operation.op === 'replace' && isFiltered(step) && isComplex(step.operation.value) && matching(step),
};

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The resource in its own order, without what the server sets and what is empty. */
function comparable(resource: object): Attributes {
  const { schemas: _schemas, id: _id, meta: _meta, ...rest } = copy(resource) as Attributes;
  const list = (rest['emails'] ?? []) as Email[];
  const sorted = list.map((one) => Object.fromEntries(Object.entries(one).toSorted()));
  const order = (one: object, other: object) => JSON.stringify(one).localeCompare(JSON.stringify(other));
  return {
    ...rest,
    emails: sorted.toSorted(order),
    name: Object.fromEntries(Object.entries((rest['name'] ?? {}) as object).toSorted()),
  };
}

async function outcomeOf(apply: () => object | undefined | Promise<object | undefined>, before: Attributes) {
  try {
    return comparable((await apply()) ?? before);
  } catch {
    return null;
  }
}

const byScimPatch = (before: Attributes, operation: Operation) => () =>
  scimPatch({ schemas: [USER_SCHEMA], ...before } as never, [operation as ScimPatchOperation], {
    mutateDocument: false,
    treatMissingAsAdd: true,
  });
const byScimmy = (before: Attributes, operation: Operation) => () => {
  const user = new SCIMMY.Schemas.User({ schemas: [USER_SCHEMA], id: '1', ...before } as never, 'both');
  const message = new SCIMMY.Messages.PatchOp({ schemas: [PATCH_SCHEMA], Operations: [operation] } as never);
  return message.apply(user as never) as Promise<object | undefined>;
};

describe('PATCH of SCIM, beside two libraries', () => {
  it.each([
    ['scim-patch', byScimPatch],
    ['SCIMMY', byScimmy],
  ])('is as %s has it, but for the differences on the list', async (_, oracle) => {
    const seen = new Map<string, number>();
    const unexplained: Step[] = [];
    let agreed = 0;
    const lists = fc.sample(fc.tuple(resources, fc.array(operations, { minLength: 1, maxLength: 3 })), LISTS);
    for (const [resource, list] of lists) {
      let before = copy(resource) as Attributes;
      for (const operation of list) {
        const ours = await outcomeOf(() => applyPatch(copy(before), [copy(operation)]), before);
        const theirs = await outcomeOf(oracle(copy(before), copy(operation)), before);
        const step = { before, operation, ours, theirs };
        const reason = Object.entries(DIFFERENCES).find(([, explains]) => explains(step))?.[0];
        if (isDeepStrictEqual(ours, theirs)) agreed += 1;
        else if (reason === undefined) unexplained.push(step);
        else seen.set(reason, (seen.get(reason) ?? 0) + 1);
        if (ours === null) break;
        before = applyPatch(copy(before), [copy(operation)]);
      }
    }
    process.stdout.write(
      `${agreed} operations alike\n${[...seen].map(([reason, n]) => `${n} ${reason}`).join('\n')}\n`,
    );
    expect(unexplained.slice(0, 3).map((step) => JSON.stringify(step))).toEqual([]);
    expect(agreed).toBeGreaterThan(LISTS);
    for (const reason of seen.keys()) noted.add(reason);
  });

  const noted = new Set<string>();
  it('has no difference on the list that does not occur', () => {
    expect([...noted].toSorted()).toEqual(Object.keys(DIFFERENCES).toSorted());
  });
});
