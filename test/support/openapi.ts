import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** OpenAPI is JSON of many shapes, which tests read untyped. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly operation: Json;
}

/**
 * Reads a published OpenAPI document: follows references, finds operations, checks values against
 * its schemas.
 */
export class OpenApi {
  readonly operations: readonly Operation[];
  private readonly ajv: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();
  /** The same by object, for the next answer of an operation. */
  private readonly known = new WeakMap<object, ValidateFunction>();

  constructor(readonly document: Json) {
    this.operations = Object.entries<Json>(document.paths).flatMap(([path, item]) => {
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
      return Object.entries<Json>(item).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        pattern,
        operation,
      }));
    });
    this.ajv = new Ajv2020({ allErrors: true, strict: false });
    addFormats.default(this.ajv, { mode: 'full' });
    this.ajv.addFormat('password', true);
    this.ajv.addSchema({ $id: 'document', components: closed(document.components) });
  }

  /** Finds the operation of a request; a literal path wins over one with parameters. */
  find(method: string, path: string): Operation | undefined {
    const fits = this.operations.filter(
      (operation) => operation.method === method && operation.pattern.test(path),
    );
    return fits.find((operation) => operation.path === path) ?? fits[0];
  }

  resolve(node: Json): Json {
    if (typeof node?.$ref !== 'string') return node;
    const parts = (node.$ref as string).slice(2).split('/');
    return this.resolve(parts.reduce((at: Json, part) => at[part], this.document));
  }

  /** Lists violations of a schema of the document; undeclared properties are violations as well. */
  errorsOf(schema: Json, value: unknown): string[] {
    const validate = this.known.get(schema) ?? this.compile(schema);
    this.known.set(schema, validate);
    return validate(value)
      ? []
      : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  }

  /** Compiles a schema once, however often the document has it. */
  private compile(schema: Json): ValidateFunction {
    const key = JSON.stringify(schema);
    const validate = this.compiled.get(key) ?? this.ajv.compile(absolute(closed(schema)));
    this.compiled.set(key, validate);
    return validate;
  }
}

/** The document allows additional properties in answers; a test must notice an undocumented one. */
function closed(node: Json): Json {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const open = copy['additionalProperties'] !== undefined || copy['type'] !== 'object';
  return copy['properties'] && !open ? { unevaluatedProperties: false, ...copy } : copy;
}

function absolute(node: Json): Json {
  return JSON.parse(JSON.stringify(node).replaceAll('"$ref":"#/', '"$ref":"document#/'));
}
