import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { has, text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../../ui/notice.tsx';
import { useRoles } from '../organization-queries.ts';
import { roleNames } from '../role-choice.tsx';
import {
  pathOf,
  refreshConnections,
  useTest,
  type Connection,
  type StartedTest,
  type Test,
} from './connection-queries.ts';

const TESTS = '/api/v1/iam/tenants/{id}/connections/{connectionId}/tests';
const KINDS = { passed: 'good', failed: 'bad', skipped: '' } as const satisfies Record<
  Test['steps'][number]['verdict'],
  string
>;

interface Props {
  readonly tenantId: string;
  readonly connection: Connection;
}

/** Runs a sign-in that signs no person in, and shows the verdict on each check. */
export function TestSignIn({ tenantId, connection: { id } }: Props) {
  const start = useMutation({
    mutationFn: async () => (await gatehouse.post(TESTS, { params: pathOf(tenantId, id) })).data,
  });
  return (
    <section className="sheet section stack" aria-labelledby="connection-test">
      <h2 id="connection-test">{text('connections.test')}</h2>
      <p className="soft small">{text('connections.test.text')}</p>
      {start.error && <ErrorNotice error={start.error} onRetry={() => start.mutate()} />}
      <div>
        <Button isPending={start.isPending} onPress={() => start.mutate()}>
          {text(start.data ? 'connections.test.again' : 'connections.test.start')}
        </Button>
      </div>
      {start.data && <Result key={start.data.testId} tenantId={tenantId} id={id} started={start.data} />}
    </section>
  );
}

interface ResultProps {
  readonly tenantId: string;
  readonly id: string;
  readonly started: StartedTest;
}

function Result({ tenantId, id, started: { testId, authorizationUrl } }: ResultProps) {
  const { data: test, error, refetch } = useTest(tenantId, id, testId);
  const isFinished = test !== undefined && test.status !== 'waiting';
  useEffect(() => {
    if (isFinished) void refreshConnections(tenantId); // a test that passed allows the activation
  }, [isFinished, tenantId]);
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
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
        <Verdict tenantId={tenantId} test={test} />
      )}
    </div>
  );
}

/** Name of a check; as the service names it, if it is a new one. */
const nameOf = (check: string): string => {
  const id = `connections.check.${check}`;
  return has(id) ? text(id) : check;
};

function Verdict({ tenantId, test }: { readonly tenantId: string; readonly test: Test }) {
  const { status, steps, attributes, roles } = test;
  const known = useRoles(tenantId).data ?? [];
  const passed = status === 'passed';
  return (
    <>
      <Notice
        kind={passed ? 'good' : 'care'}
        title={text(passed ? 'connections.test.passed' : 'connections.test.failed')}
      >
        <p>{text(passed ? 'connections.test.passed.text' : 'connections.test.failed.text')}</p>
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
      {roles.length > 0 && (
        <p>{text('connections.test.roles', { roles: roleNames(known, roles).join(', ') })}</p>
      )}
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
