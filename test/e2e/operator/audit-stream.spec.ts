import { createHash } from 'node:crypto';
import { AnchorService } from '../../../src/audit/anchors/anchor.service.js';
import { NO_HASH } from '../../../src/audit/chain/entry-hash.js';
import { AuditChain, chainAll } from '../../support/audit-chain.js';
import { Organization } from '../../support/organization.js';
import { withApp } from '../../support/test-app.js';

interface Line {
  readonly message: string;
  readonly metadata: { readonly uid: string; readonly sequence: number };
  readonly raw_data: string;
  readonly unmapped: { readonly hash: string; readonly details_hash: string | null };
}

describe('The stream of an audit trail', () => {
  let organization: Organization;
  let chain: AuditChain;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
    chain = AuditChain.existing(app, organization.id);
  });

  const fetchLines = async (below: string, token = organization.owner.token) => {
    const url = `${app.url}${organization.path}/${below}`;
    const headers = { Authorization: `Bearer ${token}`, Accept: 'application/x-ndjson' };
    const response = await fetch(url, { headers });
    const text = await response.text();
    return { status: response.status, type: response.headers.get('content-type'), text };
  };
  const read = async (query = ''): Promise<Line[]> => {
    const { status, type, text } = await fetchLines(`audit-stream${query}`);
    expect([status, type]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  };

  it('has a line for each event, in the order of the chain, by which any reader can compute it', async () => {
    await organization.call('PATCH', '', { name: 'New name' });
    await chain.record(1, { count: 5 });
    await chainAll(app);
    const lines = await read();
    expect(lines.map(({ message }) => message)).toEqual(['tenant.created', 'tenant.renamed', 'test.noted']);
    let hash = NO_HASH;
    for (const [n, { metadata, raw_data: record, unmapped }] of lines.entries()) {
      expect(metadata.sequence).toBe(n + 1);
      hash = createHash('sha256')
        .update(`${hash}\n${n + 1}\n${unmapped.details_hash ?? '-'}\n${record}`)
        .digest('hex');
      expect(unmapped.hash).toBe(hash);
    }
    expect(lines[2]?.unmapped).toMatchObject({ details: { count: 5 } });
  });

  it('continues after the last line, without loss and without a line twice, while it grows', async () => {
    const writers = Array.from({ length: 20 }, async () => chain.record(5));
    const seen: Line[] = [];
    const drain = async (): Promise<void> => {
      for (let lines: Line[] = []; ;) {
        lines = await read(`?limit=7&after=${seen.at(-1)?.metadata.sequence ?? 0}`);
        if (lines.length === 0) return;
        seen.push(...lines);
      }
    };
    await drain();
    await Promise.all(writers);
    await chainAll(app);
    await drain();
    const ids = await app.sql<{ id: string }>('SELECT id FROM audit_events WHERE tenant_id = $1', [
      organization.id,
    ]);
    expect(seen.map(({ metadata }) => metadata.uid).toSorted()).toEqual(ids.map(({ id }) => id).toSorted());
    expect(seen.map(({ metadata }) => metadata.sequence)).toEqual(seen.map((_, n) => n + 1));
    expect(await read(`?after=${seen.length}`)).toEqual([]);
  });

  it('has the anchors, which prove the chain to audit:verify', async () => {
    await app.app.get(AnchorService, { strict: false }).anchor();
    const { type, text } = await fetchLines('audit-anchors');
    expect(type).toBe('text/plain; charset=utf-8');
    const anchors = text.trim().split('\n');
    expect(anchors).toHaveLength(1);
    expect(await chain.broken(...anchors)).toBeNull();
    const length = await chain.length();
    expect((await fetchLines(`audit-anchors?after=${length - 1}`)).text).toBe(text);
    expect((await fetchLines(`audit-anchors?after=${length}`)).text).toBe('');
  });

  it.each(['audit-stream', 'audit-anchors'])('needs the scope of the trail: %s', async (below) => {
    const member = await organization.join('member');
    expect((await fetchLines(below, member.token)).status).toBe(403);
    const other = await Organization.found(app);
    expect((await fetchLines(below, other.owner.token)).status).toBe(404);
  });

  it.each(['after=-1', 'after=x', 'limit=0', 'limit=5001', 'cursor=x'])('refuses %s', async (query) => {
    expect((await fetchLines(`audit-stream?${query}`)).status).toBe(400);
  });
});
