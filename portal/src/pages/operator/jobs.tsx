import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { explain } from '../../ui/explain.ts';
import { Empty, Skeleton } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { type Column, TableOf } from '../../ui/table.tsx';
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
        <TableOf
          items={data}
          label={text('operator.jobs')}
          keyOf={({ id }) => id}
          columns={columnsOfJobs()}
        />
      )}
    </Page>
  );
}

const isGivenUp = ({ attempts, maxAttempts, running }: Job): boolean => attempts >= maxAttempts && !running;

/** The last error without the name of the job, which is next to it. */
const errorOf = ({ task, lastError }: Job): string | null =>
  lastError?.replace(`${task} failed: `, '') ?? null;

const columnsOfJobs = (): readonly Column<Job>[] => [
  {
    key: 'name',
    label: text('operator.jobs.job'),
    cell: (job) => (
      <>
        <strong className="clamped">{job.task}</strong>
        <span className="under">
          <State job={job} />
        </span>
        {job.lastError !== null && (
          <span className="soft small clamped" title={job.lastError}>
            {errorOf(job)}
          </span>
        )}
      </>
    ),
  },
  { key: 'number', label: text('operator.jobs.number'), isWide: true, cell: ({ id }) => id },
  { key: 'state', label: text('operator.status'), isWide: true, cell: (job) => <State job={job} /> },
  {
    key: 'attempts',
    label: text('operator.jobs.attempts'),
    isWide: true,
    cell: ({ attempts, maxAttempts }) => text('operator.jobs.of', { attempts, max: maxAttempts }),
  },
  {
    key: 'next',
    label: text('operator.jobs.next'),
    isWide: true,
    cell: (job) => (isGivenUp(job) ? '–' : <Time value={job.runAt} />),
  },
  {
    key: 'retry',
    label: text('table.actions'),
    isLabelHidden: true,
    cell: (job) => job.lastError !== null && <Retry id={job.id} />,
  },
];

function State({ job }: { readonly job: Job }) {
  if (job.running) return <Badge>{text('operator.jobs.running')}</Badge>;
  if (isGivenUp(job)) return <Badge kind="bad">{text('operator.jobs.failed')}</Badge>;
  return job.lastError === null ? (
    text('operator.jobs.waiting')
  ) : (
    <Badge kind="care">{text('operator.mail.deferred')}</Badge>
  );
}

function Retry({ id }: { readonly id: string }) {
  const say = useToast();
  const retry = useMutation({
    mutationFn: () =>
      gatehouse.post('/api/v1/operator/jobs/{jobId}/retry', { params: { path: { jobId: id } } }),
    onSuccess: async () => {
      await refreshAll();
      say(text('operator.jobs.retried'));
    },
    onError: (error) => say(explain(error).title),
  });
  return (
    <span className="end-cell">
      <Button
        small
        aria-label={text('operator.jobs.retry-of', { id })}
        isPending={retry.isPending}
        onPress={() => retry.mutate()}
      >
        {text('operator.jobs.retry')}
      </Button>
    </span>
  );
}
