import { readFileSync } from 'node:fs';
import { FIXED_HEADERS } from '../../src/platform/api/docs/description.js';
import { OpenApi, type Json } from './openapi.js';

/** Headers of the connection, not of the answer. */
const TRANSPORT = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);
const FIXED = new Map(Object.entries(FIXED_HEADERS).map(([name, value]) => [name.toLowerCase(), value]));
/**
 * Undocumented routes: the operator's own, files of the API reference, and what HTTP itself defines
 * for these methods.
 */
const UNDOCUMENTED = /^(?:HEAD|OPTIONS|TRACE|CONNECT) |^GET \/(?:metrics$|api\/docs\/(?!openapi\.json$))/;

interface RealAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/**
 * Compares every answer that a test receives with the OpenAPI document, so that each new test
 * checks the document as well.
 */
export class Contract {
  constructor(private readonly api: OpenApi) {}

  /**
   * The document of a running service: of one with further modules, which the committed document
   * does not contain.
   */
  static async of(url: string): Promise<Contract> {
    return new Contract(new OpenApi(await (await fetch(`${url}/api/docs/openapi.json`)).json()));
  }

  /** @throws where status, content type, a header or the body is not as documented */
  check(method: string, path: string, answer: RealAnswer): void {
    const [bare = ''] = path.split('?');
    if (UNDOCUMENTED.test(`${method} ${bare}`)) return;
    const operation = this.api.find(method, bare);
    const status = String(answer.status);
    const documented =
      operation?.operation.responses[status] ?? this.api.document['x-errors-outside-operations'][status];
    const wrong = documented
      ? this.differences(this.api.resolve(documented), answer)
      : [`status ${status} is not documented`];
    if (wrong.length > 0) throw new Error(`${method} ${bare} ${status}: ${wrong.join('; ')}`);
  }

  private differences({ content, headers: declared }: Json, { headers, body }: RealAnswer): string[] {
    const type = (headers.get('content-type') ?? '').replace(/;.*/, '');
    const types = Object.keys(content ?? { '': {} });
    if (!types.includes(type)) return [`the type is "${type}", documented is ${types.join(', ') || 'none'}`];
    return [
      ...(/[/+]json/.test(type) ? this.api.errorsOf(content[type].schema, body) : []),
      ...this.declaredHeaders(declared, headers),
      ...[...headers]
        .filter(([name]) => !TRANSPORT.has(name) && !Object.keys(declared).some((known) => same(known, name)))
        .filter(([name, value]) => FIXED.get(name) !== value)
        .map(([name, value]) => `the header ${name}: ${value} is not documented`),
    ];
  }

  private declaredHeaders(declared: Json, headers: Headers): string[] {
    return Object.entries<Json>(declared).flatMap(([name, header]) => {
      const { schema, required } = this.api.resolve(header);
      const value = headers.get(name);
      if (value === null) return required === true ? [`the header ${name} is missing`] : [];
      const errors = this.api.errorsOf(schema, schema.type === 'integer' ? Number(value) : value);
      return errors.map((error) => `${name}: ${value} ${error}`);
    });
  }
}

declare global {
  /** Kept for the worker's next spec files: its schemas take a quarter of a second to compile. */
  var openApiContract: Contract | undefined;
}

/** The document of the build, which openapi-built.spec.ts compares with the one that is served. */
export function publishedContract(): Contract {
  return (globalThis.openApiContract ??= new Contract(
    new OpenApi(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))),
  ));
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
