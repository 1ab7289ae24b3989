interface Node {
  readonly children: Map<string, Node>;
  parameter?: Node;
  readonly methods: string[];
}

const node = (): Node => ({ children: new Map(), methods: [] });
const NOTHING: readonly string[] = [];

/** Which methods a path takes, found by walking its segments: no regular expression, no scan of the routes. */
export class RouteTree {
  private readonly root = node();

  /** @param path segments, of which those that begin with a colon stand for any text */
  add(method: string, path: string): void {
    let at = this.root;
    for (const segment of segmentsOf(path)) {
      if (segment.startsWith(':')) at = at.parameter ??= node();
      else {
        const child = at.children.get(segment) ?? node();
        at.children.set(segment, child);
        at = child;
      }
    }
    at.methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
  }

  /** Empty for an unknown path. */
  methodsOf(path: string): readonly string[] {
    return find(this.root, segmentsOf(path), 0);
  }
}

function find(at: Node, segments: readonly string[], depth: number): readonly string[] {
  const segment = segments[depth];
  if (segment === undefined) return at.methods;
  const child = at.children.get(segment);
  const exact = child ? find(child, segments, depth + 1) : NOTHING;
  const open = at.parameter && segment !== '' ? find(at.parameter, segments, depth + 1) : NOTHING;
  return exact.length === 0 ? open : open.length === 0 ? exact : [...exact, ...open];
}

/** As Express matches: one slash at the end does not count, an empty segment inside does. */
function segmentsOf(path: string): string[] {
  const trimmed = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  return trimmed === '' ? [] : trimmed.split('/');
}
