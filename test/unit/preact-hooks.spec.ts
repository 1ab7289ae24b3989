// portal/src/preact/like-react.ts wraps a hook that Preact has no documentation of: with a version
// that has another name for it, effects would run later than React Aria expects, without an error.
describe('Preact', () => {
  // Without the package's types, which are a browser's, for this folder's tests run on Node.
  const { options } = jest.requireActual<{ options: object }>('preact');
  jest.requireActual('preact/compat');

  it('has the hook of a commit under the name that its own hooks use', () => {
    expect(options).toMatchObject({ __c: expect.any(Function) as unknown });
    const { __c: commit } = options as { __c?: (vnode: object, queue: object[]) => void };
    const ran: string[] = [];
    const layoutEffect = { __: () => void ran.push('effect'), __H: [] };
    commit?.({}, [{ __h: [layoutEffect] }]);
    expect(ran).toEqual(['effect']);
  });
});
