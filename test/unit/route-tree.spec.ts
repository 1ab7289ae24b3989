import { RouteTree } from '../../src/platform/web/route-tree.js';

describe('Route tree', () => {
  const tree = new RouteTree<string>();
  tree.add('GET', '/api/things', 'GET /api/things');
  tree.add('POST', '/api/things', 'POST /api/things');
  tree.add('DELETE', '/api/things/:id', 'DELETE /api/things/:id');
  tree.add('GET', '/api/things/newest', 'GET /api/things/newest');
  tree.add('POST', '/api/things/:id/parts/:part', 'POST /api/things/:id/parts/:part');

  it.each([
    ['/api/things', ['GET', 'HEAD', 'POST']],
    ['/api/things/', ['GET', 'HEAD', 'POST']],
    ['/api/things/7', ['DELETE']],
    ['/api/things/newest', ['GET', 'HEAD', 'DELETE']],
    ['/api/things/7/parts/8', ['POST']],
    ['/api/things/newest/parts/8', ['POST']],
    ['/api//things', []],
    ['/api/things//', []],
    ['/api/things/7/parts', []],
    ['/api/THINGS', []],
    ['/', []],
    ['/constructor', []],
  ])('returns the methods of %s', (path, methods) => {
    expect(tree.methodsOf(path)).toEqual(methods);
  });

  it.each([
    ['GET', '/api/things/newest', 'GET /api/things/newest', {}],
    ['HEAD', '/api/things/newest/', 'GET /api/things/newest', {}],
    ['DELETE', '/api/things/newest', 'DELETE /api/things/:id', { id: 'newest' }],
    ['DELETE', '/api/things/__proto__', 'DELETE /api/things/:id', { id: '__proto__' }],
    [
      'POST',
      '/api/things/newest/parts/%2F',
      'POST /api/things/:id/parts/:part',
      { id: 'newest', part: '%2F' },
    ],
  ])('finds the target of %s %s', (method, path, target, parameters) => {
    expect(tree.find(method, path)).toEqual({ target, parameters });
  });

  it.each([
    ['PATCH', '/api/things'],
    ['DELETE', '/api/things/'],
    ['DELETE', '/api/things//'],
    ['POST', '/api/things/7/parts'],
    ['constructor', '/api/things'],
  ])('finds nothing for %s %s', (method, path) => {
    expect(tree.find(method, path)).toBeUndefined();
  });

  it('finds the rest of a path for methods and paths without their own route', () => {
    const rest = new RouteTree<string>();
    rest.add('GET', '/scim/:id/Users', 'users');
    rest.add('GET', '/scim/:id/Users/:user', 'user');
    rest.add('ALL', '/scim/:id/*path', 'rest');
    const find = (method: string, path: string) => rest.find(method, path)?.target;
    expect(find('HEAD', '/scim/1/Users')).toBe('users');
    expect(find('GET', '/scim/1/Users/2')).toBe('user');
    for (const [method, path] of [
      ['PUT', '/scim/1/Users'],
      ['OPTIONS', '/scim/1/Users/2'],
      ['GET', '/scim/1/Users/2/3'],
      ['GET', '/scim/1/other/'],
    ] as const)
      expect(find(method, path)).toBe('rest');
    expect(find('GET', '/scim/1')).toBeUndefined();
    expect(rest.find('GET', '/scim/1/a/b')).toEqual({ target: 'rest', parameters: { id: '1' } });
  });

  it('refuses a duplicate route and unsupported patterns', () => {
    expect(() => tree.add('DELETE', '/api/things/:other', '')).toThrow('Two routes are declared');
    for (const path of [
      '/api/files/*path/names',
      '/api/files/*',
      '/api/files/:name.json',
      '/api/files/file-:id',
      '/api/files{/:id}',
    ])
      expect(() => tree.add('GET', path, '')).toThrow('supports only ":name"');
  });
});
