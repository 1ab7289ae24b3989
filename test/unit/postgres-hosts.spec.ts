import { hostsOf } from '../../src/platform/config/postgres-hosts.js';
import { readSettings } from '../../src/platform/config/settings.js';

const ROOT_SECRET = Buffer.alloc(32, 7).toString('base64');
const SEVERAL =
  'postgres://ada:a%2Cb@one:5433,[2001:db8::1],three/x?target_session_attrs=read-write&sslmode=require';

describe('The address of a database', () => {
  it('has an address for each of its hosts', () => {
    expect(hostsOf(SEVERAL)).toEqual([
      'postgres://ada:a%2Cb@one:5433/x?sslmode=require',
      'postgres://ada:a%2Cb@[2001:db8::1]/x?sslmode=require',
      'postgres://ada:a%2Cb@three/x?sslmode=require',
    ]);
    expect(hostsOf('postgresql://one,two?target_session_attrs=primary')).toEqual([
      'postgresql://one',
      'postgresql://two',
    ]);
  });

  it('is kept as it is with one host', () => {
    for (const url of [
      'postgres://one/x?target_session_attrs=any',
      'postgres://ada@one/x,y?host=/tmp',
      'nothing',
    ])
      expect(hostsOf(url)).toEqual([url]);
  });

  it.each(['read-write', 'primary'])(
    'may have several, of which the service needs the primary: %s',
    (name) => {
      const url = `postgres://one,two/x?target_session_attrs=${name}`;
      expect(readSettings({ DATABASE_URL: url, ROOT_SECRET }).DATABASE_URL?.reveal()).toBe(url);
    },
  );

  it('says what is missing with several', () => {
    expect(() => readSettings({ DATABASE_URL: 'postgres://one,two/x', ROOT_SECRET })).toThrow(
      'DATABASE_URL: has several hosts: add target_session_attrs=read-write',
    );
  });

  it('has one host, of the pooler, beside addresses of the servers', () => {
    const several = 'postgres://one,two/x?target_session_attrs=read-write';
    const direct = { DATABASE_DIRECT_URL: several, ROOT_SECRET };
    expect(() => readSettings({ DATABASE_URL: several, ...direct })).toThrow('of the pooler');
    expect(readSettings({ DATABASE_URL: 'postgres://pooler/x', ...direct })).toBeDefined();
  });
});
