/** Scheme and credentials, hosts, and the rest of the address of a database. */
const FORM = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)([^/?#@]+)([/?#].*)?$/;
/** What libpq calls sessions that may write, from release 14 on also by the second name. */
const WRITABLE = new Set(['read-write', 'primary']);
const ATTRIBUTES = 'target_session_attrs';

/**
 * Splits the address of a database with several servers, as libpq reads it (PostgreSQL's manual,
 * section 34.1.1.3): `postgres://user:password@first:5432,second/name`.
 * @returns an address for each host; the same address if it has one
 */
export function hostsOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = FORM.exec(url) ?? [];
  if (!hosts.includes(',')) return [url];
  return hosts.split(',').map((host) => withoutAttributes(`${before}${host}${after}`));
}

/** Whether an address of several servers asks for the one that takes writes. */
export function asksForPrimary(url: string): boolean {
  const [, , , after = ''] = FORM.exec(url) ?? [];
  const query = new URLSearchParams(after.slice(after.indexOf('?') + 1));
  return WRITABLE.has(query.get(ATTRIBUTES) ?? '');
}

/** Removes what the driver does not know. */
function withoutAttributes(url: string): string {
  if (!URL.canParse(url)) return url;
  const one = new URL(url);
  one.searchParams.delete(ATTRIBUTES);
  return one.href;
}
