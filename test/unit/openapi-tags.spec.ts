import { tagsOf } from '../../src/platform/api/docs/tags-of.js';

const route = (name: string, description: string) => ({ tag: { name, description } });

describe('API tags', () => {
  it('are listed once each, by name', () => {
    const routes = [
      route('Roles', 'Who may.'),
      route('Me', 'Myself.'),
      { tag: null },
      route('Roles', 'Who may.'),
    ];
    expect(tagsOf(routes)).toEqual([
      { name: 'Me', description: 'Myself.' },
      { name: 'Roles', description: 'Who may.' },
    ]);
  });

  it('are refused with two descriptions', () => {
    const routes = [route('Me', 'Myself.'), route('Me', 'The caller.')];
    expect(() => tagsOf(routes)).toThrow('The API tag Me is described as "Myself." and as "The caller."');
  });
});
