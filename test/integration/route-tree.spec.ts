import { RouteTree } from '../../src/access/route-tree.js';

describe('Route tree', () => {
  const tree = new RouteTree();
  tree.add('GET', '/api/things');
  tree.add('POST', '/api/things');
  tree.add('DELETE', '/api/things/:id');
  tree.add('GET', '/api/things/newest');
  tree.add('POST', '/api/things/:id/parts/:part');

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
  ])('knows the methods of %s', (path, methods) => {
    expect(tree.methodsOf(path)).toEqual(methods);
  });
});
