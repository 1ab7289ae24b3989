import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Skeleton } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type Job, refreshAll, useJobs } from './operator-queries.ts';
import { inBackground } from '../../session/in-background.ts';

/** Queued jobs: those that failed, and all. */
export function Jobs() {
  const [state, setState] = useState('failed');
  const { data, error, isPending, refetch } = useJobs(state === 'failed');
  return (
    <Page title={text('operator.jobs')} lead={text('operator.jobs.lead')}>
      <div className="filters">
        <SelectField
          label={text('operator.jobs.shown')}
          options={[
            ['failed', text('operator.jobs.failed')],
            ['all', text('operator.jobs.all')],
          ]}
          value={state}
          onChange={setState}
        />
      </div>
      {error && <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />}
      {isPending && <Skeleton label={text('operator.jobs')} />}
      {data?.length === 0 &&
        (state === 'failed' ? (
          <Empty title={text('operator.jobs.none-failed')} lead={text('operator.jobs.none-failed.text')} />
        ) : (
          <Empty title={text('operator.jobs.none')} />
        ))}
      {data && data.length > 0 && (
        <ul className="list" aria-label={text('operator.jobs')}>
          {data.map((job) => (
            <li key={job.id}>
              <JobItem job={job} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function JobItem({ job }: { readonly job: Job }) {
  const { id, task, attempts, maxAttempts, lastError, running, createdAt, runAt } = job;
  const isGivenUp = attempts >= maxAttempts && !running;
  const say = useToast();
  const retry = useMutation({
    mutationFn: () =>
      gatehouse.post('/api/v1/operator/jobs/{jobId}/retry', { params: { path: { jobId: id } } }),
    onSuccess: async () => {
      await refreshAll();
      say(text('operator.jobs.retried'));
    },
  });
  return (
    <div className="item plain">
      <div className="what">
        <div className="row">
          <strong>{task}</strong>
          <span className="soft small">{text('operator.jobs.number', { id })}</span>
          {running && <Badge>{text('operator.jobs.running')}</Badge>}
          {isGivenUp && <Badge kind="bad">{text('operator.jobs.failed')}</Badge>}
        </div>
        <span className="soft small">
          {rich(isGivenUp ? 'operator.jobs.given-up' : 'operator.jobs.facts', {
            attempts,
            max: maxAttempts,
            time: () => <Time value={isGivenUp ? createdAt : runAt} />,
          })}
        </span>
        {lastError !== null && <code className="small">{lastError}</code>}
        {retry.error && <ErrorNotice error={retry.error} />}
      </div>
      <div className="end wraps">
        {lastError !== null && (
          <Button
            small
            aria-label={text('operator.jobs.retry-of', { id })}
            isPending={retry.isPending}
            onPress={() => retry.mutate()}
          >
            {text('operator.jobs.retry')}
          </Button>
        )}
      </div>
    </div>
  );
}
