interface Node<T> {
  readonly children: Map<string, Node<T>>;
  parameter?: Node<T>;
  /** Target of all paths below that nothing else takes. */
  rest?: Node<T>;
  readonly methods: Map<string, Leaf<T>>;
}

interface Leaf<T> {
  readonly target: T;
  /** By the segment's position. */
  readonly parameters: readonly (readonly [number, string])[];
}

/** Result of a lookup. */
export interface Found<T> {
  readonly target: T;
  /** Parameters of the path, not yet percent-decoded. */
  readonly parameters: Record<string, string>;
}

const NOTHING: readonly string[] = [];
/** Segment of a route's path: a name, or a parameter that fills the segment. */
const SEGMENT = /^(?::[A-Za-z_]\w*|[\w.~-]+)$/;
/** Last segment of a route's path that stands for one or more segments. */
const REST = /^\*[A-Za-z_]\w*$/;

/**
 * Finds the target of a method and path by walking the segments of the path, without regular
 * expressions and without a scan of the routes. A named segment takes precedence over a parameter,
 * and a parameter over a rest.
 */
export class RouteTree<T> {
  private readonly root: Node<T> = nodeOf();

  /**
   * Adds a route; a route for GET also serves HEAD, and one for ALL the methods without their own.
   * @param path segments; one that begins with a colon is a parameter; a last one that begins with
   *   an asterisk is the rest of the path
   * @throws {Error} if the route exists already, or the path has another kind of pattern
   */
  add(method: string, path: string, target: T): void {
    const segments = segmentsOf(path);
    const isPattern = (segment: string, n: number): boolean =>
      SEGMENT.test(segment) || (n === segments.length - 1 && REST.test(segment));
    if (!segments.every(isPattern))
      throw new Error(`A path supports only ":name" as a pattern, for a whole segment: ${path}`);
    let at = this.root;
    const parameters: [number, string][] = [];
    for (const [position, segment] of segments.entries()) {
      if (segment.startsWith(':')) {
        parameters.push([position, segment.slice(1)]);
        at = at.parameter ??= nodeOf();
      } else if (segment.startsWith('*')) {
        at = at.rest ??= nodeOf();
      } else {
        const child = at.children.get(segment) ?? nodeOf();
        at.children.set(segment, child);
        at = child;
      }
    }
    if (at.methods.has(method)) throw new Error(`Two routes are declared for ${method} ${path}.`);
    const leaf = { target, parameters };
    at.methods.set(method, leaf);
    if (method === 'GET') at.methods.set('HEAD', leaf);
  }

  /** @returns the methods of a path; empty for an unknown path */
  methodsOf(path: string): readonly string[] {
    return methodsAt(this.root, segmentsOf(path), 0);
  }

  /** @returns the target and the parameters, or undefined without such a route */
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

function leafOf<T>({ methods }: Node<T>, method: string): Leaf<T> | undefined {
  return methods.get(method) ?? methods.get('ALL');
}

function leafAt<T>(
  at: Node<T>,
  method: string,
  segments: readonly string[],
  depth: number,
): Leaf<T> | undefined {
  const segment = segments[depth];
  if (segment === undefined) return leafOf(at, method);
  const child = at.children.get(segment);
  const exact = child && leafAt(child, method, segments, depth + 1);
  if (exact) return exact;
  const open = segment === '' ? undefined : at.parameter;
  return (open && leafAt(open, method, segments, depth + 1)) ?? (at.rest && leafOf(at.rest, method));
}

function methodsAt<T>(at: Node<T>, segments: readonly string[], depth: number): readonly string[] {
  const segment = segments[depth];
  if (segment === undefined) return [...at.methods.keys()];
  const child = at.children.get(segment);
  const exact = child ? methodsAt(child, segments, depth + 1) : NOTHING;
  const open = at.parameter && segment !== '' ? methodsAt(at.parameter, segments, depth + 1) : NOTHING;
  return exact.length === 0 ? open : open.length === 0 ? exact : [...exact, ...open];
}

/** Splits a path. Ignores one trailing slash; an empty segment inside counts. */
function segmentsOf(path: string): string[] {
  const trimmed = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  return trimmed === '' ? [] : trimmed.split('/');
}
