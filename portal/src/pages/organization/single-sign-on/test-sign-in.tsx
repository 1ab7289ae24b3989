import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { has, text } from '../../../messages/index.ts';
import { gatehouse, withCookies } from '../../../session/gatehouse.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../../ui/notice.tsx';
import { useRoles } from '../organization-queries.ts';
import { roleNames } from '../role-choice.tsx';
import {
  pathOf,
  refreshConnections,
  useTest,
  type Connection,
  type ShownTest,
  type StartedTest,
  type Test,
} from './connection-queries.ts';
import { inBackground } from '../../../session/in-background.ts';

const TESTS = '/api/v1/iam/tenants/{id}/connections/{connectionId}/tests';
const KINDS = { passed: 'good', failed: 'bad', skipped: '' } as const satisfies Record<
  Test['steps'][number]['verdict'],
  string
>;

interface Props {
  readonly tenantId: string;
  readonly connection: Connection;
}

/** Runs a test sign-in of a connection of the organization. */
export function TestSignIn({ tenantId, connection: { id, status } }: Props) {
  return (
    <TestRun
      title={text(status === 'active' ? 'connections.test.sign-in' : 'connections.test')}
      start={async () => (await gatehouse.post(TESTS, { params: pathOf(tenantId, id), ...withCookies })).data}
      read={async (testId) => {
        const params = { path: { id: tenantId, connectionId: id, testId } };
        return (await gatehouse.get(`${TESTS}/{testId}`, { params })).data;
      }}
      onFinished={() => refreshConnections(tenantId)} // a test that passed allows the activation
      passedText={text('connections.test.passed.text')}
      rolesOf={(roles) => <GivenRoles tenantId={tenantId} roles={roles} />}
    />
  );
}

interface RunProps {
  readonly title: string;
  readonly start: () => Promise<StartedTest>;
  readonly read: (testId: string) => Promise<ShownTest>;
  readonly onFinished: () => Promise<void>;
  /** What follows a test that has passed. */
  readonly passedText: string;
  /** Shows the roles that would follow; left out for who sees none. */
  readonly rolesOf?: (roles: readonly string[]) => ReactNode;
}

/** Runs a sign-in that signs no person in, and shows the verdict on each check. */
export function TestRun({ title, start: begin, ...props }: RunProps) {
  const start = useMutation({ mutationFn: begin });
  return (
    <section className="sheet section stack" aria-labelledby="connection-test">
      <h2 id="connection-test">{title}</h2>
      <p className="soft small">{text('connections.test.text')}</p>
      {start.error && <ErrorNotice error={start.error} onRetry={() => start.mutate()} />}
      <div>
        <Button isPending={start.isPending} onPress={() => start.mutate()}>
          {text(start.data ? 'connections.test.again' : 'connections.test.start')}
        </Button>
      </div>
      {start.data && <Result key={start.data.testId} started={start.data} {...props} />}
    </section>
  );
}

interface ResultProps extends Omit<RunProps, 'start' | 'title'> {
  readonly started: StartedTest;
}

function Result({ started: { testId, authorizationUrl }, read, onFinished, ...shown }: ResultProps) {
  const {
    data: test,
    error,
    refetch,
  } = useTest(testId, async () => {
    const found = await read(testId);
    if (found.status !== 'waiting') inBackground(onFinished());
    return found;
  });
  if (error) return <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />;
  if (!test) return <Skeleton label={text('connections.test')} rows={1} />;
  return (
    <div className="stack" role="status">
      {test.status === 'waiting' ? (
        <Notice title={text('connections.test.waiting')}>
          <p>{text('connections.test.waiting.text')}</p>
          <p>
            <a className="button primary" href={authorizationUrl} target="_blank" rel="noreferrer">
              {text('connections.test.open')}
            </a>
          </p>
        </Notice>
      ) : (
        <Verdict test={test} {...shown} />
      )}
    </div>
  );
}

/** Name of a check; as the service names it, if it is a new one. */
const nameOf = (check: string): string => {
  const id = `connections.check.${check}`;
  return has(id) ? text(id) : check;
};

/** What the administrator of the provider needs: the checks that failed, without personal data. */
const reportOf = (steps: ShownTest['steps']): string =>
  [
    text('connections.test.for-admin.intro'),
    ...steps
      .filter(({ verdict }) => verdict === 'failed')
      .map(({ name, detail }) => `- ${nameOf(name)}: ${detail}`),
  ].join('\n');

interface VerdictProps extends Pick<RunProps, 'passedText' | 'rolesOf'> {
  readonly test: ShownTest;
}

function Verdict({ test, passedText, rolesOf }: VerdictProps) {
  const { status, steps, attributes, roles = [] } = test;
  const passed = status === 'passed';
  return (
    <>
      <Notice
        kind={passed ? 'good' : 'care'}
        title={text(passed ? 'connections.test.passed' : 'connections.test.failed')}
      >
        <p>{passed ? passedText : text('connections.test.failed.text')}</p>
      </Notice>
      <ul className="list" aria-label={text('connections.test.checks')}>
        {steps.map(({ name, verdict, detail }) => (
          <li key={name}>
            <div className="item plain">
              <span className="what">
                <strong>{nameOf(name)}</strong>
                <span className="small">{detail}</span>
              </span>
              <Badge kind={KINDS[verdict]}>{text(`connections.verdict.${verdict}`)}</Badge>
            </div>
          </li>
        ))}
      </ul>
      {!passed && <Copyable label={text('connections.test.for-admin')} value={reportOf(steps)} />}
      {roles.length > 0 && rolesOf?.(roles)}
      {attributes.length > 0 && (
        <details>
          <summary>{text('connections.test.attributes')}</summary>
          <ul className="stack tight">
            {attributes.map(({ name, values }) => (
              <li key={name} className="small">
                <code>{name}</code>: {values.join(', ')}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface GivenRolesProps {
  readonly tenantId: string;
  readonly roles: readonly string[];
}

function GivenRoles({ tenantId, roles }: GivenRolesProps) {
  const known = useRoles(tenantId).data ?? [];
  return <p>{text('connections.test.roles', { roles: roleNames(known, roles).join(', ') })}</p>;
}
