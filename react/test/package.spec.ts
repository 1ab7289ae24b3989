import { globSync, readFileSync } from 'node:fs';
import { Gatehouse, memoryStorage } from '@gatehouse/client';
import { GatehouseProvider, Protected } from '@gatehouse/react';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';

describe('The package @gatehouse/react', () => {
  it('marks each module with hooks for the client side of frameworks', () => {
    for (const path of globSync('react/dist/*.js')) {
      const code = readFileSync(path, 'utf8');
      if (/from 'react'/.test(code)) expect([path, code.split('\n')[0]]).toEqual([path, "'use client';"]);
    }
  });

  it('renders on a server as for a user who is not known yet, without reading a session', () => {
    const read = jest.fn(() => null);
    const client = new Gatehouse({ url: 'http://127.0.0.1:1', storage: { ...memoryStorage(), read } });
    const on = jest.spyOn(client, 'on');
    const page = createElement(Protected, { loading: 'One moment', fallback: 'Sign in' }, 'Inside');
    expect(renderToString(createElement(GatehouseProvider, { client }, page))).toBe('One moment');
    expect(on).not.toHaveBeenCalled();
    expect(read).not.toHaveBeenCalled();
  });

  it('says which component is missing', () => {
    const page = createElement(Protected, {}, 'Inside');
    expect(() => renderToString(page)).toThrow('need a <GatehouseProvider> above them');
  });
});
