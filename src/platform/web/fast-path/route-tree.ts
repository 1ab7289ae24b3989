interface Node<T> {
  readonly children: Map<string, Node<T>>;
  parameter?: Node<T>;
  readonly methods: Map<string, Leaf<T>>;
}

interface Leaf<T> {
  readonly target: T;
  /** By the segment's position. */
  readonly parameters: readonly (readonly [number, string])[];
}

/** What is behind a method and a path. */
export interface Found<T> {
  readonly target: T;
  /** The parameters of the path, as they stand in it. */
  readonly parameters: Record<string, string>;
}

const NOTHING: readonly string[] = [];
/** A name, or a parameter: nothing that is half of each. */
const SEGMENT = /^(?::[A-Za-z_]\w*|[\w.~-]+)$/;

/**
 * What is behind which method and path, found by walking the path's segments: no regular expression, no scan of the routes. A segment that a route
 * names goes before a parameter that would take it.
 */
export class RouteTree<T> {
  private readonly root: Node<T> = nodeOf();

  /**
   * @param path segments, of which those that begin with a colon stand for any text
   * @throws where there is such a route already, or the path has patterns of another kind
   */
  add(method: string, path: string, target: T): void {
    const segments = segmentsOf(path);
    if (!segments.every((segment) => SEGMENT.test(segment)))
      throw new Error(`No pattern but ":name" can stand in a path, and it fills its segment: ${path}`);
    let at = this.root;
    const parameters: [number, string][] = [];
    for (const [position, segment] of segments.entries()) {
      if (segment.startsWith(':')) {
        parameters.push([position, segment.slice(1)]);
        at = at.parameter ??= nodeOf();
      } else {
        const child = at.children.get(segment) ?? nodeOf();
        at.children.set(segment, child);
        at = child;
      }
    }
    if (at.methods.has(method)) throw new Error(`There are two routes for ${method} ${path}.`);
    const leaf = { target, parameters };
    at.methods.set(method, leaf);
    if (method === 'GET') at.methods.set('HEAD', leaf);
  }

  /** Empty for an unknown path. */
  methodsOf(path: string): readonly string[] {
    return methodsAt(this.root, segmentsOf(path), 0);
  }

  find(method: string, path: string): Found<T> | undefined {
    const segments = segmentsOf(path);
    const leaf = leafAt(this.root, method, segments, 0);
    if (!leaf) return undefined;
    const parameters: Record<string, string> = Object.create(null) as object & Record<string, string>;
    for (const [position, name] of leaf.parameters) parameters[name] = segments[position] ?? '';
    return { target: leaf.target, parameters };
  }
}

const nodeOf = <T>(): Node<T> => ({ children: new Map(), methods: new Map() });

function leafAt<T>(
  at: Node<T>,
  method: string,
  segments: readonly string[],
  depth: number,
): Leaf<T> | undefined {
  const segment = segments[depth];
  if (segment === undefined) return at.methods.get(method);
  const child = at.children.get(segment);
  const exact = child && leafAt(child, method, segments, depth + 1);
  if (exact || !at.parameter || segment === '') return exact;
  return leafAt(at.parameter, method, segments, depth + 1);
}

function methodsAt<T>(at: Node<T>, segments: readonly string[], depth: number): readonly string[] {
  const segment = segments[depth];
  if (segment === undefined) return [...at.methods.keys()];
  const child = at.children.get(segment);
  const exact = child ? methodsAt(child, segments, depth + 1) : NOTHING;
  const open = at.parameter && segment !== '' ? methodsAt(at.parameter, segments, depth + 1) : NOTHING;
  return exact.length === 0 ? open : open.length === 0 ? exact : [...exact, ...open];
}

/** One slash at the end does not count, an empty segment inside does. */
function segmentsOf(path: string): string[] {
  const trimmed = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  return trimmed === '' ? [] : trimmed.split('/');
}
