import { useState } from 'react';
import { Link } from 'wouter';
import { rich, text } from '../../../messages/index.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty, List } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { Time } from '../../../ui/time.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { subjectOf } from '../organization-queries.ts';
import { ChangeStation, type Command, DoWithStation, NewStation } from './station-dialogs.tsx';
import { type Station, useStations } from './station-queries.ts';

type Doing = { readonly what: 'new' } | { readonly what: 'change' | Command; readonly station: Station };

const KINDS = { pending: 'care', active: '', locked: 'bad', disabled: 'bad' } as const;

/** Lists the shared devices of an organization, and who is signed in at them. */
export function Stations({ tenantId, allowed }: OrganizationProps) {
  const [query, setQuery] = useState('');
  const stations = useStations(tenantId, query);
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title={text('nav.stations')}
      lead={rich('stations.lead', {
        link: (label) => (
          <Link key="link" href={pathIn(PAGE_PATHS.signInPolicy, tenantId)}>
            {label}
          </Link>
        ),
      })}
      action={
        allowed['iam:station:create'] && (
          <Button look="primary" onPress={() => setDoing({ what: 'new' })}>
            {text('stations.new')}
          </Button>
        )
      }
    >
      <div className="filters" role="search">
        <SearchField label={text('stations.search')} onSearch={setQuery} />
      </div>
      <List
        query={stations}
        label={text('nav.stations')}
        keyOf={({ id }) => id}
        empty={
          query === '' ? (
            <Empty title={text('stations.empty')} lead={text('stations.empty.text')} />
          ) : (
            <Empty title={text('stations.none-found')} lead={text('stations.none-found.text')} />
          )
        }
      >
        {(station) => <Row station={station} onDo={setDoing} />}
      </List>
      {doing?.what === 'new' && <NewStation tenantId={tenantId} onClose={close} />}
      {doing?.what === 'change' && (
        <ChangeStation tenantId={tenantId} station={doing.station} onClose={close} />
      )}
      {doing !== null && doing.what !== 'new' && doing.what !== 'change' && (
        <DoWithStation tenantId={tenantId} station={doing.station} what={doing.what} onClose={close} />
      )}
    </Page>
  );
}

interface RowProps {
  readonly station: Station;
  readonly onDo: (doing: Doing) => void;
}

function Row({ station, onDo }: RowProps) {
  const { id, name, place, status, person, lastSeenAt } = station;
  const run = (what: 'change' | Command) => () => onDo({ what, station });
  return (
    <div className="item plain">
      <div className="what">
        <div className="row">
          <strong>{name}</strong>
          {status !== 'active' && <Badge kind={KINDS[status]}>{text(`stations.status.${status}`)}</Badge>}
          {person && (
            <Badge kind="good">
              {text('stations.person', { name: person.firstName ?? person.number ?? person.userId })}
            </Badge>
          )}
        </div>
        <span className="soft small">
          {place !== null && `${place} · `}
          {lastSeenAt === null
            ? text('stations.never-seen')
            : rich('stations.seen', { time: () => <Time value={lastSeenAt} /> })}
        </span>
      </div>
      <ActionMenu
        label={text('members.actions', { name })}
        subject={subjectOf('stations', id)}
        actions={[
          { label: text('stations.change'), scope: 'iam:station:update', run: run('change') },
          ...(status === 'locked'
            ? [{ label: text('stations.unlock'), scope: 'iam:station:update' as const, run: run('unlock') }]
            : []),
          status === 'disabled'
            ? { label: text('stations.enable'), scope: 'iam:station:update', run: run('enable') }
            : {
                label: text('stations.disable'),
                scope: 'iam:station:update',
                danger: true,
                run: run('disable'),
              },
          { label: text('stations.delete'), scope: 'iam:station:delete', danger: true, run: run('delete') },
        ]}
      />
    </div>
  );
}
