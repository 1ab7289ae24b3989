import { foldName, isCaseExact, isMultiValued, isOfValue } from './attributes.js';
import type { AttributePath, Filter, Operator } from './filter.js';
import { GROUP_SCHEMA, USER_SCHEMA } from './schemas.js';
import { ScimError } from './scim-error.js';

/** A column that a filter compares, instead of the stored attributes. */
interface TypedColumn {
  readonly sql: string;
  readonly type: 'exact' | 'folded' | 'boolean' | 'time';
}

/** Columns of users and groups by attribute: what identity providers search by has an index. */
const COMMON: Readonly<Record<string, TypedColumn>> = {
  id: { sql: 'r.id', type: 'exact' },
  externalId: { sql: 'r.external_id', type: 'exact' },
  displayName: { sql: 'r.display_name_key', type: 'folded' },
  'meta.created': { sql: 'r.created_at', type: 'time' },
  'meta.lastModified': { sql: 'r.updated_at', type: 'time' },
};
const COLUMNS: Readonly<Record<'user' | 'group', Readonly<Record<string, TypedColumn>>>> = {
  user: {
    ...COMMON,
    'meta.resourceType': { sql: "'User'::text", type: 'exact' },
    userName: { sql: 'r.user_name_key', type: 'folded' },
    active: { sql: 'r.active', type: 'boolean' },
  },
  group: { ...COMMON, 'meta.resourceType': { sql: "'Group'::text", type: 'exact' } },
};

/** Adds a parameter to the statement and returns its placeholder. */
export type Bind = (value: unknown) => string;

/**
 * Compiles a filter to a condition over `directory_users r` or `directory_groups r`, in a statement
 * whose `$1` is the tenant and `$2` the directory. Values and attribute names are parameters;
 * nothing of the request is part of the text.
 * @throws {ScimError} invalidFilter for an order of values that have none
 */
export function compileFilter(filter: Filter, resource: 'user' | 'group', bind: Bind): string {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const [left, right] = [filter.left, filter.right].map((one) => compileFilter(one, resource, bind));
      return `(${left} ${filter.kind.toUpperCase()} ${right})`;
    }
    case 'not':
      return `NOT COALESCE(${compileFilter(filter.filter, resource, bind)}, false)`;
    case 'values':
      if (filter.path.schema === null && isOfRows(filter.path.name, resource))
        return membershipCondition(filter.filter, resource, bind);
      return elementsCondition(filter.path, filter.filter, resource, bind);
    case 'present':
    case 'compare':
      return leafCondition(filter, resource, bind);
  }
}

type Leaf = Extract<Filter, { kind: 'present' | 'compare' }>;

function leafCondition(leaf: Leaf, resource: 'user' | 'group', bind: Bind): string {
  const { path } = leaf;
  if (path.schema === null && isOfRows(path.name, resource)) {
    const ofElement = { ...leaf, path: { schema: null, name: path.sub ?? 'value', sub: null } };
    return membershipCondition(ofElement, resource, bind);
  }
  const name = path.sub === null ? path.name : `${path.name}.${path.sub}`;
  const columns = COLUMNS[resource];
  const column = path.schema === null && Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (column) return columnCondition(column, leaf, bind);
  if (path.schema === null && path.name === 'schemas') return schemaCondition(leaf, resource, bind);
  if (path.schema === null && path.name === 'meta') throw notComparable();
  if (path.schema === null && isMultiValued(path.name)) {
    const sub = { schema: null, name: path.sub ?? 'value', sub: null };
    return elementsCondition(path, { ...leaf, path: sub }, resource, bind);
  }
  const sub = path.sub ?? (path.schema !== null && isOfValue(path.name) ? 'value' : null);
  const keys = [path.schema, path.name, sub].filter((key) => key !== null);
  return textCondition(`r.attributes #>> ${bind(keys)}::text[]`, leaf, bind);
}

function columnCondition({ sql, type }: TypedColumn, leaf: Leaf, bind: Bind): string {
  if (leaf.kind === 'present') return `${sql} IS NOT NULL`;
  const { op, value } = leaf;
  if (value === null) return nullCondition(sql, op);
  if (type === 'boolean') {
    if (typeof value !== 'boolean' || (op !== 'eq' && op !== 'ne')) throw notComparable();
    return `${sql} ${op === 'eq' ? '=' : '<>'} ${bind(value)}::boolean`;
  }
  if (typeof value !== 'string') throw notComparable();
  if (type === 'time') {
    if (!/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value) || Number.isNaN(Date.parse(value)))
      throw notComparable();
    const sign = SIGNS[op];
    if (sign === undefined) throw notComparable();
    return `${sql} ${sign} ${bind(new Date(value))}::timestamptz`;
  }
  return comparison(sql, op, `${bind(type === 'folded' ? foldName(value) : value)}::text`);
}

const SIGNS: Partial<Record<Operator, string>> = {
  eq: '=',
  ne: '<>',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
};

function nullCondition(sql: string, op: Operator): string {
  if (op !== 'eq' && op !== 'ne') throw notComparable();
  return op === 'eq' ? `${sql} IS NULL` : `${sql} IS NOT NULL`;
}

/**
 * Compares the text of a stored attribute. Case counts where RFC 7643 says so; else both sides are
 * folded here by ICU, as the locale of a database may fold letters of ASCII only.
 */
function textCondition(sql: string, leaf: Leaf, bind: Bind): string {
  if (leaf.kind === 'present') return `COALESCE(${sql}, '') NOT IN ('', '[]', '{}')`;
  const { op, value, path } = leaf;
  if (value === null) return nullCondition(`(${sql})`, op);
  if (typeof value !== 'string' && op !== 'eq' && op !== 'ne') throw notComparable();
  const isFolded = typeof value === 'string' && !isCaseExact(path.sub ?? path.name);
  const text = String(value);
  return comparison(
    isFolded ? folded(sql) : `(${sql})`,
    op,
    isFolded ? folded(`${bind(text)}::text`) : `${bind(text)}::text`,
  );
}

const folded = (text: string): string => `lower((${text}) COLLATE "und-x-icu") COLLATE "C"`;

function comparison(sql: string, op: Operator, text: string): string {
  switch (op) {
    case 'eq':
      return `${sql} = ${text}`;
    case 'ne':
      return `${sql} IS DISTINCT FROM ${text}`;
    case 'co':
      return `strpos(${sql}, ${text}) > 0`;
    case 'sw':
      return `starts_with(${sql}, ${text})`;
    case 'ew':
      return `right(${sql}, length(${text})) = ${text}`;
    default:
      return `${sql} ${SIGNS[op] ?? '='} ${text}`;
  }
}

/**
 * Returns a condition on the elements of an attribute. An index finds people by an address: the
 * array is one value to the planner, which else reads records in their order until a page is full.
 */
function elementsCondition(
  path: AttributePath,
  filter: Filter,
  resource: 'user' | 'group',
  bind: Bind,
): string {
  const elements = overElements(path, bind, (item) => elementCondition(filter, item, bind));
  const isOfPeople = resource === 'user' && path.schema === null && path.name === 'emails';
  const address = isOfPeople ? requiredAddress(filter) : null;
  if (address === null) return elements;
  const wanted = JSON.stringify({ emails: [{ value: address.toWellFormed() }] });
  return `(r.id = ANY (ARRAY(SELECT a.id FROM directory_users a WHERE a.tenant_id = $1 AND a.directory_id = $2 AND directory_address_keys(a.attributes) @> directory_address_keys(${bind(wanted)}::jsonb))) AND ${elements})`;
}

/** Returns the address that each element that a filter matches has; null if they can differ. */
function requiredAddress(filter: Filter): string | null {
  if (filter.kind === 'and') return requiredAddress(filter.left) ?? requiredAddress(filter.right);
  const isEqual = filter.kind === 'compare' && filter.op === 'eq' && filter.path.sub === null;
  return isEqual && filter.path.name === 'value' && typeof filter.value === 'string' ? filter.value : null;
}

/** Returns a condition that an element of a multi-valued attribute fulfils. */
function overElements(
  { schema, name }: AttributePath,
  bind: Bind,
  condition: (item: string) => string,
): string {
  const keys = bind(schema === null ? [name] : [schema, name]);
  const list = `r.attributes #> ${keys}::text[]`;
  return `EXISTS (SELECT 1 FROM jsonb_array_elements(CASE jsonb_typeof(${list}) WHEN 'array' THEN ${list} ELSE '[]'::jsonb END) AS e (item) WHERE ${condition('e.item')})`;
}

function elementCondition(filter: Filter, item: string, bind: Bind): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${elementCondition(filter.left, item, bind)} ${filter.kind.toUpperCase()} ${elementCondition(filter.right, item, bind)})`;
    case 'not':
      return `NOT COALESCE(${elementCondition(filter.filter, item, bind)}, false)`;
    case 'values':
      throw new ScimError(400, 'invalidFilter', 'Elements of elements cannot be filtered.');
    case 'present':
    case 'compare': {
      const keys = [filter.path.name, filter.path.sub].filter((key) => key !== null);
      return textCondition(`${item} #>> ${bind(keys)}::text[]`, filter, bind);
    }
  }
}

/** Members of groups, and groups of users, are rows and no attributes. */
const isOfRows = (name: string, resource: 'user' | 'group'): boolean =>
  name === (resource === 'group' ? 'members' : 'groups');

/** Conditions on the rows `gm` by an attribute of the element. */
const MEMBERSHIP: Readonly<
  Record<'user' | 'group', Readonly<Record<string, (value: string, bind: Bind) => string>>>
> = {
  group: {
    value: (value, bind) => `gm.user_id = ${bind(value)}`,
    type: (value) => String(foldName(value) === 'user'),
  },
  user: {
    value: (value, bind) => `gm.group_id = ${bind(value)}`,
    display: (value, bind) => `EXISTS (SELECT 1 FROM directory_groups g WHERE g.tenant_id = gm.tenant_id
        AND g.directory_id = gm.directory_id AND g.id = gm.group_id AND g.display_name_key = ${bind(foldName(value))})`,
    type: (value) => String(foldName(value) === 'direct'),
  },
};

/** @throws {ScimError} invalidFilter for another comparison than `eq`, or another attribute */
function membershipCondition(filter: Filter, resource: 'user' | 'group', bind: Bind): string {
  const side = resource === 'group' ? 'gm.group_id' : 'gm.user_id';
  const exists = (condition: string): string =>
    `EXISTS (SELECT 1 FROM directory_group_members gm WHERE gm.tenant_id = r.tenant_id
      AND gm.directory_id = r.directory_id AND ${side} = r.id AND ${condition})`;
  if (filter.kind === 'present') return exists('true');
  const isPlain = filter.kind === 'compare' && filter.op === 'eq' && filter.path.sub === null;
  if (isPlain && typeof filter.value === 'string' && Object.hasOwn(MEMBERSHIP[resource], filter.path.name)) {
    const condition = MEMBERSHIP[resource][filter.path.name];
    if (condition) return exists(condition(filter.value, bind));
  }
  throw new ScimError(400, 'invalidFilter', 'Members and groups are compared by eq with a value or type.');
}

/** A resource has its own schema, and those of its extensions. */
function schemaCondition(leaf: Leaf, resource: 'user' | 'group', bind: Bind): string {
  if (leaf.kind === 'present') return 'true';
  if (leaf.op !== 'eq' || typeof leaf.value !== 'string') throw notComparable();
  const own = bind(resource === 'user' ? USER_SCHEMA : GROUP_SCHEMA);
  return `EXISTS (SELECT 1 FROM (SELECT ${own}::text UNION ALL SELECT jsonb_object_keys(r.attributes)) AS k (name)
    WHERE position(':' IN k.name) > 0 AND ${folded('k.name')} = ${folded(`${bind(leaf.value)}::text`)})`;
}

const notComparable = (): ScimError =>
  new ScimError(400, 'invalidFilter', 'The value does not fit the attribute and the operator.');
