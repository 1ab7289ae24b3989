import { OperatorService } from '../../../src/iam/index.js';
import { Counts } from '../../../src/platform/counts/index.js';
import type { TenantId } from '../../../src/kernel/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { seedHistory } from '../../support/history.js';
import { Organization } from '../../support/organization.js';
import { planOf, type Statement, statementsOf } from '../../support/plans.js';
import { withApp } from '../../support/test-app.js';

/** Organizations with counts besides the one that is read. */
const OTHERS = 300;
/** More than the counts of thirty days of one organization, and far fewer than all. */
const TOUCHED = 3_000;

describe('The cost of an overview', () => {
  let organization: Organization;
  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    organization = await Organization.found(app);
    await seedHistory(app, organization.id);
    await seedHistory(app, '');
    await app.sql(
      `INSERT INTO activity_counts SELECT 'other-' || n, span, name, starts_at, source, value, count
       FROM activity_counts, generate_series(1, ${OTHERS}) AS n WHERE tenant_id = '' AND span = 'day'`,
    );
    await app.sql('ANALYZE activity_counts');
  });

  const requireIndex = async (statements: readonly Statement[]) => {
    const read = statements.filter(([sql]) => sql.includes('activity_counts'));
    expect(read.length).toBeGreaterThan(0);
    for (const statement of read)
      for (const node of await planOf(app, statement, 'ANALYZE, FORMAT JSON')) {
        const touched = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
        expect({ node: node['Node Type'], isFew: touched <= TOUCHED }).toEqual({
          node:
            node['Relation Name'] === 'activity_counts'
              ? expect.not.stringMatching('Seq')
              : node['Node Type'],
          isFew: true,
        });
      }
  };

  it('does not grow with the counts of other organizations', async () => {
    const [all] = await app.sql<{ n: number }>('SELECT count(*)::int AS n FROM activity_counts');
    expect(all?.n).toBeGreaterThan(50 * TOUCHED);
    await requireIndex(await statementsOf(() => organization.call('GET', '/overview')));
    const { person } = organization.owner;
    await app.app.get(OperatorService, { strict: false }).grant(person.email, 'admin');
    const token = byTwoFactors(app, person.token);
    await requireIndex(await statementsOf(() => app.get('/api/v1/operator/overview', token)));
    const { token: own } = organization.owner;
    await requireIndex(await statementsOf(() => app.get('/api/v1/webhooks/activity', own)));
  });

  it('is not paid by a sign-in: its count adds no statement', async () => {
    const { email, password } = organization.owner.person;
    const sent = await statementsOf(() => app.post('login', { email, password }));
    expect(sent.length).toBeGreaterThan(3);
    expect(sent.filter(([sql]) => sql.includes('activity_counts'))).toEqual([]);
    const counts = app.app.get(Counts, { strict: false });
    counts.tally({ name: 'session', values: ['ended'] }).count('ended', {
      tenantId: organization.id as TenantId,
    });
    const flushed = await statementsOf(() => counts.flush());
    expect(flushed.filter(([sql]) => sql.includes('activity_counts'))).toHaveLength(1);
  });
});
