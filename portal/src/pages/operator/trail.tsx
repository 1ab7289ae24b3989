import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { text } from '../../messages/index.ts';
import { useMe } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { nameOfActor, TrailList } from '../../ui/trail.tsx';
import { type PlatformTrailFilter, usePlatformTrail } from './operator-queries.ts';

const FIELDS = ['query', 'actorId', 'tenantId', 'subject', 'by', 'group', 'action'] as const;

/** The audit trail of the whole platform, with filters that are part of the address. */
export function PlatformTrail() {
  const [search, setSearch] = useSearchParams();
  const { data: me } = useMe();
  const [shown, setShown] = useState(0);
  const address = search.toString();
  const filter = useMemo(() => filterIn(new URLSearchParams(address)), [address]);
  const trail = usePlatformTrail(filter);
  const choose = (name: (typeof FIELDS)[number]) => (value: string) => {
    setSearch({ ...filter, [name]: value });
    setShown(shown + 1); // the fields show the filter again
  };
  return (
    <Page title={text('nav.trail')} lead={text('operator.trail.lead')}>
      <section className="sheet section" aria-label={text('operator.trail.filters')}>
        <Form
          key={shown}
          error={null}
          onSubmit={(values) =>
            setSearch(
              Object.fromEntries(
                FIELDS.map((name) => [name, textOf(values, name)?.trim()]).filter(
                  (entry): entry is [string, string] => entry[1] !== undefined,
                ),
              ),
            )
          }
        >
          <div className="columns wide">
            {FIELDS.map((name) => (
              <TextField
                key={name}
                label={text(`operator.trail.${name}`)}
                name={name}
                defaultValue={filter[name] ?? ''}
                {...(name === 'action' && { hint: text('operator.trail.action.hint') })}
                maxLength={200}
                verbatim
              />
            ))}
          </div>
          <Button type="submit">{text('operator.trail.show')}</Button>
        </Form>
      </section>
      <TrailList
        query={trail}
        nameOf={(event) => nameOfActor(event, me?.id)}
        isFiltered={address !== ''}
        subjects={{ onActor: choose('actorId'), onSubject: choose('subject'), onAllowedBy: choose('by') }}
      />
    </Page>
  );
}

function filterIn(search: URLSearchParams): PlatformTrailFilter {
  const given = FIELDS.map((name) => [name, search.get(name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== null && value !== ''));
}
