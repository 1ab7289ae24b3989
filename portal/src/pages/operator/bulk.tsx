import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Badge } from '../../ui/badge.tsx';
import { BulkBar } from '../../ui/bulk.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { pathOfOrganization, refreshAll, useBulkActions, useDenial } from './operator-queries.ts';

type BulkAction = components['schemas']['BulkActionResponse'];
type BulkPeople = components['schemas']['BulkPeopleDto'];

const KINDS = ['end-sessions', 'resend-mails'] as const;
type Kind = (typeof KINDS)[number];

/** Returns what the operator may do for many people. */
export function useBulkKinds(): readonly Kind[] {
  const denials = {
    'end-sessions': useDenial('platform:person:end-sessions').data,
    'resend-mails': useDenial('platform:person:resend-mail').data,
  };
  return KINDS.filter((kind) => denials[kind] === null);
}

/** Starts an action for many people. @param onStarted called when its job is queued */
export function useBulkAction(kind: Kind, people: BulkPeople, onStarted: () => void) {
  const say = useToast();
  return useMutation({
    mutationFn: () => gatehouse.post(`/api/v1/operator/bulk-actions/${kind}`, { body: people }),
    onSuccess: async () => {
      onStarted();
      await refreshAll();
      say(text('operator.bulk.started'));
    },
  });
}

interface BarProps {
  readonly kinds: readonly Kind[];
  readonly userIds: readonly string[];
  readonly onClear: () => void;
}

/** What can be done for the selected people. */
export function PeopleBar({ kinds, userIds, onClear }: BarProps) {
  const [doing, setDoing] = useState<Pick<AskProps, 'kind' | 'userIds'> | null>(null);
  return (
    <>
      <BulkBar label={text('operator.bulk.label')} count={userIds.length} onClear={onClear}>
        {kinds.map((kind) => (
          <Button key={kind} small onPress={() => setDoing({ kind, userIds })}>
            {text(`operator.bulk.${kind}`)}
          </Button>
        ))}
      </BulkBar>
      {doing && <Ask {...doing} onStarted={onClear} onClose={() => setDoing(null)} />}
    </>
  );
}

interface AskProps {
  readonly kind: Kind;
  readonly userIds: readonly string[];
  readonly onStarted: () => void;
  readonly onClose: () => void;
}

function Ask({ kind, userIds, onStarted, onClose }: AskProps) {
  const start = useBulkAction(kind, { userIds: [...userIds] }, () => {
    onClose();
    onStarted();
  });
  return (
    <ConfirmDialog
      title={text(`operator.bulk.${kind}.title`, { count: userIds.length })}
      confirm={text(`operator.bulk.${kind}`)}
      action={start}
      isOpen
      onClose={onClose}
    >
      <p>{text(`operator.bulk.${kind}.text`)}</p>
    </ConfirmDialog>
  );
}

/** The newest actions with their progress; nothing before the first one. */
export function BulkHistory() {
  const actions = useBulkActions();
  if (!actions.data?.length) return null;
  const columns: readonly Column<BulkAction>[] = [
    {
      key: 'what',
      label: text('operator.bulk.what'),
      cell: ({ kind, tenantName }) => (
        <>
          {text(`operator.bulk.${kind}`)}
          {tenantName !== null && <span className="under">{tenantName}</span>}
        </>
      ),
    },
    {
      key: 'organization',
      label: text('operator.organization'),
      isWide: true,
      cell: ({ tenantId, tenantName }) =>
        tenantId === null || tenantName === null ? (
          '–'
        ) : (
          <Link href={pathOfOrganization(tenantId)}>{tenantName}</Link>
        ),
    },
    {
      key: 'progress',
      label: text('operator.bulk.progress'),
      cell: (action) => <Progress action={action} />,
    },
    {
      key: 'by',
      label: text('operator.imports.history.by'),
      isWide: true,
      cell: ({ operatorName }) => operatorName ?? text('operator.imports.history.program'),
    },
    {
      key: 'at',
      label: text('operator.bulk.at'),
      isWide: true,
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
  ];
  return (
    <section className="stack" aria-labelledby="bulk-history">
      <h2 id="bulk-history">{text('operator.bulk.history')}</h2>
      <Table
        query={actions}
        label={text('operator.bulk.history')}
        empty={null}
        keyOf={({ id }) => id}
        columns={columns}
      />
    </section>
  );
}

function Progress({ action: { state, total, done, skipped, failed } }: { readonly action: BulkAction }) {
  return (
    <span className="row">
      <Badge kind={state === 'finished' ? 'good' : state === 'stopped' ? 'care' : ''}>
        {text(`operator.bulk.state.${state}`)}
      </Badge>
      {state === 'running' && (
        <progress value={done + skipped + failed} max={total} aria-label={text('operator.bulk.progress')} />
      )}
      {failed > 0 && <Badge kind="bad">{text('operator.bulk.failed', { count: failed })}</Badge>}
      <span className="soft small">{text('operator.bulk.counts', { done, total, skipped })}</span>
    </span>
  );
}
