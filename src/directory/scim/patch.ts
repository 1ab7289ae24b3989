import {
  type Attributes,
  canonicalName,
  isBoolean,
  isComplex,
  isMultiValued,
  isOfValue,
  isReadOnly,
  normalizeValue,
} from './attributes.js';
import { COMPARISONS_PER_KEY, Elements, Work } from './elements.js';
import { type Filter, matcherOf, parsePath, type PatchPath } from './filter.js';
import { ScimError } from './scim-error.js';

/** Operations of one request. */
const MAX_OPERATIONS = 200;

interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: PatchPath | null;
  readonly value: unknown;
}

/** What an operation does at each place, and the comparisons that it may still cost. */
interface Step extends Pick<Operation, 'op'> {
  readonly work: Work;
}

/**
 * Applies the operations of a PATCH (RFC 7644 section 3.5.2) to a copy of a resource. Accepts what
 * Entra ID and Okta send beyond the standard: operations in any case, booleans as texts, values
 * without a path whose keys are paths, members to remove as value, and a filtered path that no
 * element matches, which adds the element.
 * @param given `Operations` of the body, a list or one
 * @throws {ScimError} invalidSyntax, invalidPath, invalidValue, noTarget, or tooMany for operations
 *   that compare too many values
 */
export function applyPatch(resource: Attributes, given: unknown): Attributes {
  const operations = isComplex(given) ? [given] : given;
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS)
    throw new ScimError(400, 'invalidSyntax', `Operations must be a list of 1 to ${MAX_OPERATIONS}.`);
  const patched = structuredClone(resource);
  const work = new Work();
  for (const operation of operations) applyOperation(patched, operationOf(operation), work);
  return patched;
}

function operationOf(given: unknown): Operation {
  const fields = isComplex(given) ? lowerKeys(given) : {};
  const op = typeof fields['op'] === 'string' ? fields['op'].toLowerCase() : '';
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw new ScimError(400, 'invalidSyntax', 'op must be add, replace or remove.');
  const { path, value } = fields;
  if (path !== undefined && typeof path !== 'string')
    throw new ScimError(400, 'invalidPath', 'path must be a text.');
  if (op !== 'remove' && value === undefined)
    throw new ScimError(400, 'invalidValue', `${op} needs a value.`);
  return { op, path: path === undefined || path === '' ? null : parsePath(path), value };
}

const lowerKeys = (fields: Attributes): Attributes =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key.toLowerCase(), value]));

function applyOperation(resource: Attributes, { op, path, value }: Operation, work: Work): void {
  const step = { op, work };
  if (path !== null) return applyAt(resource, step, path, value);
  if (op === 'remove' && !isComplex(value)) throw new ScimError(400, 'noTarget', 'remove needs a path.');
  applyKeys(resource, step, null, value);
}

/** Applies a value whose keys are paths: one without a path, or one of a whole schema. */
function applyKeys(resource: Attributes, step: Step, schema: string | null, value: unknown): void {
  if (!isComplex(value)) throw new ScimError(400, 'invalidValue', 'value must be an object for this path.');
  for (const [key, part] of Object.entries(value)) {
    const path = parsePath(key);
    if (schema !== null && (path.schema !== null || path.name === ''))
      throw new ScimError(400, 'invalidPath', 'A schema holds no other schema.');
    applyAt(resource, step, schema === null ? path : { ...path, schema }, part);
  }
}

function applyAt(resource: Attributes, step: Step, path: PatchPath, value: unknown): void {
  if (path.name === '') return applySchema(resource, step, path.schema, value);
  if (path.schema === null && isReadOnly(path.name)) return;
  if ((path.sub ?? path.name) === 'password') return;
  if (step.op === 'add' && isNothing(value)) return;
  const holder = holderOf(resource, path.schema, step.work);
  if (path.filter) applyFiltered(holder, step, { ...path, filter: path.filter }, value);
  else if (path.sub !== null) applySub(holder, step, path.name, path.sub, value);
  else applyPlain(holder, step, path.name, value);
  if (path.schema !== null && Object.keys(holder).length === 0) delete resource[path.schema];
}

/** Applies an operation to all attributes of a schema. */
function applySchema(resource: Attributes, step: Step, schema: string | null, value: unknown): void {
  const { op, work } = step;
  if (op !== 'remove' && !isNothing(value)) return applyKeys(resource, step, schema, value);
  if (schema === null) throw new ScimError(400, 'invalidPath', 'The schema of a resource cannot be removed.');
  if (op !== 'add') delete resource[storedName(resource, schema, work)];
}

/** Null, an empty list and an empty object are no value (RFC 7643 section 2.5). */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Returns the object that holds the attributes of a schema, under the spelling that is stored. */
function holderOf(resource: Attributes, schema: string | null, work: Work): Attributes {
  if (schema === null) return resource;
  const stored = storedName(resource, schema, work);
  const holder = resource[stored];
  if (isComplex(holder)) return holder;
  const created: Attributes = {};
  resource[stored] = created;
  return created;
}

/** Returns the spelling of a schema that is stored; URNs are case-insensitive. */
function storedName(resource: Attributes, schema: string, work: Work): string {
  const keys = Object.keys(resource);
  work.spend(COMPARISONS_PER_KEY * keys.length);
  return keys.find((key) => key.toLowerCase() === schema.toLowerCase()) ?? schema;
}

function applyPlain(holder: Attributes, { op, work }: Step, name: string, given: unknown): void {
  const current = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (op === 'remove') {
    if (given === undefined || given === null || !Array.isArray(current)) delete holder[name];
    else setList(holder, name, without(name, current, normalizeValue(name, namedIn(given, name)), work));
    return;
  }
  const sent = isOfValue(name) && typeof given === 'string' ? { value: given } : given;
  const value = normalizeValue(name, sent);
  if (isEmpty(sent) || value === null || (isOfValue(name) && isComplex(value) && value['value'] === '')) {
    delete holder[name];
  } else if (isMultiValued(name) || Array.isArray(current)) {
    const list = Array.isArray(value) ? value : [value];
    setList(holder, name, op === 'add' ? joined(name, listAt(holder, name), list, work) : list);
  } else if (isComplex(current) && isComplex(value)) {
    assign(current, op, sent);
    if (isEmpty(current)) delete holder[name];
  } else {
    holder[name] = value;
  }
}

const isEmpty = (value: unknown): boolean => isComplex(value) && Object.keys(value).length === 0;

/** Assigns the parts of a value; those that are null are unassigned, except by `add`. */
function assign(target: Attributes, op: Operation['op'], given: unknown): void {
  if (!isComplex(given)) return;
  Object.assign(target, normalizeValue('', given));
  if (op === 'add') return;
  for (const [key, part] of Object.entries(given)) if (part === null) delete target[canonicalName(key)];
}

/** Returns the elements to remove; Salesforce names the attribute in the value once more. */
function namedIn(given: unknown, name: string): unknown {
  const [[key, elements] = ['', null], ...others] = isComplex(given) ? Object.entries(given) : [];
  return others.length === 0 && Array.isArray(elements) && canonicalName(key) === name ? elements : given;
}

function applySub(holder: Attributes, step: Step, name: string, sub: string, value: unknown): void {
  const current = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (Array.isArray(current)) {
    step.work.spend(COMPARISONS_PER_KEY * current.length);
    step.work.spendCopies(value, current.length);
    for (const element of current) if (isComplex(element)) applyPlain(element, step, sub, value);
    return;
  }
  if (step.op === 'remove' && !isComplex(current)) return;
  const target: Attributes = isComplex(current) ? current : {};
  applyPlain(target, step, sub, value);
  if (Object.keys(target).length === 0) delete holder[name];
  else holder[name] = isMultiValued(name) ? [target] : target;
}

function applyFiltered(
  holder: Attributes,
  step: Step,
  { name, sub, filter }: PatchPath & { filter: Filter },
  value: unknown,
): void {
  const { op, work } = step;
  const list = listAt(holder, name);
  const matched = list.filter(matcherOf(filter, name, (comparisons) => work.spend(comparisons)));
  const isUnassigned = value === null || value === undefined;
  if (sub === null && (op === 'remove' || isUnassigned)) {
    const gone = new Set(matched);
    const left = list.filter((element) => !gone.has(element));
    return setList(holder, name, left);
  }
  if (op === 'remove') {
    for (const element of matched) if (isComplex(element)) delete element[sub ?? ''];
    return;
  }
  if (matched.length === 0) {
    if (isUnassigned) return;
    const created = elementOf(filter);
    if (!created) throw new ScimError(400, 'noTarget', 'No element matches the filter of the path.');
    list.push(created);
    matched.push(created);
  }
  work.spendCopies(value, matched.length);
  work.spend(COMPARISONS_PER_KEY * list.length);
  for (const element of matched) {
    if (!isComplex(element)) continue;
    if (sub !== null) applyPlain(element, step, sub, value);
    else if (isComplex(value)) assign(element, op, value);
    else throw new ScimError(400, 'invalidValue', 'value must be an object for this path.');
  }
  const primary = matched.find((element) => isComplex(element) && element['primary'] === true);
  const distinct = distinctOf(list, matched);
  setList(holder, name, primary === undefined ? distinct : distinct.map((one) => demoted(one, primary)));
}

/** A pair of value and type occurs once in a list (RFC 7643 section 2.4): preferred, or first. */
function distinctOf(list: readonly unknown[], preferred: readonly unknown[]): unknown[] {
  const firsts = new Map<unknown, Map<unknown, unknown>>();
  for (const element of [...preferred, ...list]) {
    if (!isComplex(element) || element['value'] === undefined) continue;
    const { value, type } = element;
    const ofValue = firsts.get(value) ?? new Map<unknown, unknown>();
    firsts.set(value, ofValue);
    if (!ofValue.has(type)) ofValue.set(type, element);
  }
  return list.filter((element) => {
    if (!isComplex(element) || element['value'] === undefined) return true;
    return firsts.get(element['value'])?.get(element['type']) === element;
  });
}

/** Builds the element that a filter of equations describes; null for any other filter. */
function elementOf(filter: Filter): Attributes | null {
  if (filter.kind === 'and') {
    const [left, right] = [elementOf(filter.left), elementOf(filter.right)];
    return left && right && { ...left, ...right };
  }
  if (filter.kind !== 'compare' || filter.op !== 'eq' || filter.path.sub !== null) return null;
  const name = canonicalName(filter.path.name);
  return { [name]: isBoolean(name) ? normalizeValue(name, filter.value) : filter.value };
}

/** Adds elements. An element with a value that is there already replaces it. */
function joined(name: string, list: readonly unknown[], added: readonly unknown[], work: Work): unknown[] {
  const elements = new Elements(name, list, work, added);
  for (const element of added) {
    const at = elements.find(element);
    if (at < 0) elements.push(element);
    else if (isComplex(element) && isComplex(elements.list[at])) elements.merge(at, element);
  }
  const primary = added.findLast((one) => isComplex(one) && one['primary'] === true);
  if (primary === undefined) return elements.list;
  const chosen = elements.list[elements.find(primary)];
  return elements.list.map((one) => demoted(one, chosen));
}

/** At most one element is primary (RFC 7643 section 2.4). */
function demoted(element: unknown, primary: unknown): unknown {
  const isOther = element !== primary && isComplex(element) && element['primary'] === true;
  return isOther ? { ...element, primary: false } : element;
}

function without(name: string, list: readonly unknown[], removed: unknown, work: Work): unknown[] {
  const gone = new Elements(name, Array.isArray(removed) ? removed : [removed], work);
  work.spend(list.length);
  return list.filter((one) => gone.find(one) < 0);
}

function listAt(holder: Attributes, name: string): unknown[] {
  const current = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (current === undefined) return [];
  return Array.isArray(current) ? [...current] : [current];
}

function setList(holder: Attributes, name: string, list: readonly unknown[]): void {
  if (list.length === 0) delete holder[name];
  else holder[name] = list;
}
