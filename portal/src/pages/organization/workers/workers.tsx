import { useCallback, useState } from 'react';
import { rich, text } from '../../../messages/index.ts';
import { keptQuery } from '../../../session/kept-query.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Avatar, Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty, List } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Time } from '../../../ui/time.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { subjectOf, useRoles, withField } from '../organization-queries.ts';
import { roleNames } from '../role-choice.tsx';
import { AddWorkers } from './add-workers.tsx';
import {
  ChangeWorker,
  type Command,
  DoWithWorker,
  IssueBadge,
  IssueBadges,
  ResetPin,
} from './worker-dialogs.tsx';
import { nameOf, useWorkers, type Worker, type WorkerFilter } from './worker-queries.ts';

type Doing =
  | { readonly what: 'add' | 'badges' }
  | { readonly what: 'change' | 'pin' | 'badge' | Command; readonly worker: Worker };

const ANY = '*';
const STATUSES = ['active', 'suspended'] as const;

/** Lists people without an address, with their numbers, PINs and badges. */
export function Workers({ tenantId, allowed }: OrganizationProps) {
  const [filter, setFilter] = useState<WorkerFilter>(() =>
    withField<WorkerFilter, 'query'>({}, 'query', keptQuery.read() || undefined),
  );
  const workers = useWorkers(tenantId, filter);
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const search = useCallback(
    (query: string) => setFilter((before) => withField(before, 'query', query || undefined)),
    [],
  );
  const withoutBadge =
    workers.data?.filter(({ badge, status }) => badge === null && status === 'active') ?? [];
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      title={text('nav.workers')}
      lead={text('workers.lead')}
      action={
        allowed['iam:worker:create'] && (
          <Button look="primary" onPress={() => setDoing({ what: 'add' })}>
            {text('workers.add')}
          </Button>
        )
      }
    >
      <div className="filters" role="search">
        <SearchField label={text('workers.search')} onSearch={search} isKept />
        <SelectField
          label={text('webhooks.status')}
          options={[
            [ANY, text('workers.status.any')],
            ...STATUSES.map((status) => [status, text(`workers.status.${status}`)] as const),
          ]}
          value={filter.status ?? ANY}
          onChange={(status) =>
            setFilter((before) =>
              withField(
                before,
                'status',
                STATUSES.find((one) => one === status),
              ),
            )
          }
        />
      </div>
      <List
        query={workers}
        label={text('nav.workers')}
        keyOf={({ userId }) => userId}
        empty={
          isFiltered ? (
            <Empty title={text('workers.none-found')} lead={text('workers.none-found.text')} />
          ) : (
            <Empty title={text('workers.empty')} lead={text('workers.empty.text')} />
          )
        }
      >
        {(worker) => <Row tenantId={tenantId} worker={worker} onDo={setDoing} />}
      </List>
      {withoutBadge.length > 0 && (
        <div>
          <Button onPress={() => setDoing({ what: 'badges' })}>
            {text('workers.badges.missing', { count: withoutBadge.length })}
          </Button>
        </div>
      )}
      {doing?.what === 'add' && <AddWorkers tenantId={tenantId} onClose={close} />}
      {doing?.what === 'badges' && <Badges tenantId={tenantId} workers={withoutBadge} onClose={close} />}
      {doing && 'worker' in doing && <Dialogs tenantId={tenantId} {...doing} onClose={close} />}
    </Page>
  );
}

/** Keeps the people for whom badges are issued: the list changes as they get them. */
function Badges({ workers, ...props }: Parameters<typeof IssueBadges>[0]) {
  const [all] = useState(workers);
  return <IssueBadges workers={all} {...props} />;
}

interface DialogsProps {
  readonly tenantId: string;
  readonly what: 'change' | 'pin' | 'badge' | Command;
  readonly worker: Worker;
  readonly onClose: () => void;
}

function Dialogs({ what, ...props }: DialogsProps) {
  if (what === 'change') return <ChangeWorker {...props} />;
  if (what === 'pin') return <ResetPin {...props} />;
  if (what === 'badge') return <IssueBadge {...props} />;
  return <DoWithWorker what={what} {...props} />;
}

interface RowProps {
  readonly tenantId: string;
  readonly worker: Worker;
  readonly onDo: (doing: Doing) => void;
}

function Row({ tenantId, worker, onDo }: RowProps) {
  const { data: roles = [] } = useRoles(tenantId);
  const { userId, number, status, until, lastSignInAt, badge } = worker;
  const name = nameOf(worker);
  const run = (what: DialogsProps['what']) => () => onDo({ what, worker });
  return (
    <div className="item">
      <Avatar name={name} />
      <div className="what">
        <div className="row">
          <strong>{name}</strong>
          {status === 'suspended' && <Badge kind="bad">{text('workers.status.suspended')}</Badge>}
          {worker.pinLocked && <Badge kind="bad">{text('workers.pin.locked')}</Badge>}
          {!worker.hasPin && <Badge kind="care">{text('workers.pin.none')}</Badge>}
          {badge === null && <Badge>{text('workers.badge.none')}</Badge>}
          {roleNames(roles, worker.roles).map((role) => (
            <Badge key={role}>{role}</Badge>
          ))}
        </div>
        <span className="soft small">
          {number}
          {' · '}
          {lastSignInAt === null
            ? text('workers.never-signed-in')
            : rich('workers.signed-in', { time: () => <Time value={lastSignInAt} /> })}
          {until !== null && (
            <>
              {' · '}
              {rich('workers.ends', { time: () => <Time value={until} /> })}
            </>
          )}
        </span>
      </div>
      <ActionMenu
        label={text('members.actions', { name })}
        subject={subjectOf('workers', userId)}
        actions={[
          { label: text('workers.pin.reset'), scope: 'iam:worker:reset-pin', run: run('pin') },
          { label: text('workers.badge.issue'), scope: 'iam:worker:issue-badge', run: run('badge') },
          ...(badge === null
            ? []
            : [
                {
                  label: text('workers.revoke-badge'),
                  scope: 'iam:worker:revoke-badge' as const,
                  run: run('revoke-badge'),
                },
              ]),
          { label: text('workers.change'), scope: 'iam:worker:update', run: run('change') },
          { label: text('workers.sign-out'), scope: 'iam:worker:update', run: run('sign-out') },
          status === 'active'
            ? {
                label: text('workers.suspend'),
                scope: 'iam:worker:suspend',
                danger: true,
                run: run('suspend'),
              }
            : { label: text('workers.reinstate'), scope: 'iam:worker:reinstate', run: run('reinstate') },
          { label: text('workers.remove'), scope: 'iam:worker:delete', danger: true, run: run('remove') },
        ]}
      />
    </div>
  );
}
