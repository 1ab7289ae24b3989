import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { idsWith, intlLocale, text } from '../../messages/index.ts';
import { useMe } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Cross } from '../../ui/icons.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { nameOfActor, nameOfSubject, textOf, type TrailEvent } from '../../ui/trail.tsx';

const ANY = 'all';
const DATES = 'dates';
const PERIODS = [ANY, '1', '7', '30', DATES] as const;
const DAY_MS = 86_400_000;

/** Filters of an audit trail, as the API takes them. */
export interface TrailFilter {
  readonly query?: string;
  readonly group?: string;
  readonly action?: string;
  readonly actorId?: string;
  readonly subject?: string;
  readonly tenantId?: string;
  readonly by?: string;
  readonly from?: string;
  readonly to?: string;
}

/** The search is read from the address. */
const KEPT_IN_ADDRESS = () => undefined;

type Field = 'group' | 'action' | 'actor' | 'subject' | 'tenant' | 'by' | 'period' | 'from' | 'to';

/**
 * Reads the filter in the address of the page, where it can be shared. `from` and `to` are days
 * where the browser is, both included.
 */
export function readFilter(address: URLSearchParams): TrailFilter {
  const period = address.get('period');
  const days = Number(period);
  const from =
    days > 0 ? new Date(Date.now() - days * DAY_MS) : period === DATES ? dayOf(address.get('from')) : null;
  const to = period === DATES ? dayOf(address.get('to')) : null;
  to?.setDate(to.getDate() + 1);
  const fields = {
    query: address.get('q'),
    group: address.get('group'),
    action: address.get('action'),
    actorId: address.get('actor'),
    subject: address.get('subject'),
    tenantId: address.get('tenant'),
    by: address.get('by'),
    from: from?.toISOString(),
    to: to?.toISOString(),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => Boolean(value)));
}

function dayOf(text: string | null): Date | null {
  const day = new Date(`${text}T00:00`);
  return Number.isNaN(day.getTime()) ? null : day;
}

interface Props {
  /** Whether events are searched by the names of people. */
  readonly isSearched: boolean;
  /** Whether events are filtered by area and action. */
  readonly isByAction: boolean;
  /** The listed events, which have the names of what is chosen. */
  readonly events: readonly TrailEvent[];
}

/** Filters of an audit trail: action and period, and those chosen in the list. */
export function TrailFilters({ events, isSearched, isByAction }: Props) {
  const { data: me } = useMe();
  const [clears, setClears] = useState(0);
  const [search, setSearch] = useSearchParams();
  const set = (field: Field, value: string) =>
    setSearch((others) => {
      const next = new URLSearchParams(others);
      if (value === '' || value === ANY) next.delete(field);
      else next.set(field, value);
      if (field === 'group') next.delete('action');
      return next;
    });
  const period = search.get('period') ?? ANY;
  const actor = search.get('actor');
  const subject = search.get('subject');
  const tenant = search.get('tenant');
  const by = search.get('by');
  return (
    <>
      <div className="filters" role="search">
        {isSearched && (
          <SearchField key={clears} label={text('trail.search')} onSearch={KEPT_IN_ADDRESS} isKept />
        )}
        {isByAction && (
          <>
            <SelectField
              label={text('trail.group')}
              options={groups()}
              value={search.get('group') ?? ANY}
              onChange={(group) => set('group', group)}
            />
            <SelectField
              label={text('trail.action')}
              options={actionsWith(search.get('action'), search.get('group'))}
              value={search.get('action') ?? ANY}
              onChange={(action) => set('action', action)}
            />
          </>
        )}
        <SelectField
          label={text('trail.period')}
          options={PERIODS.map((one): [string, string] => [one, text(`trail.period.${one}`)])}
          value={period}
          onChange={(one) => set('period', one)}
        />
        {period === DATES &&
          (['from', 'to'] as const).map((field) => (
            <TextField
              key={field}
              label={text(`trail.${field}`)}
              type="date"
              isRequired
              value={search.get(field) ?? ''}
              onChange={(day) => set(field, day)}
            />
          ))}
      </div>
      {search.size > 0 && (
        <div className="row">
          {actor !== null && (
            <Button small onPress={() => set('actor', '')}>
              {text('trail.by', { name: nameOfActorIn(events, actor, me?.id) })} <Cross />
            </Button>
          )}
          {subject !== null && (
            <Button small onPress={() => set('subject', '')}>
              {text('trail.about', { what: nameOfSubjectIn(events, subject) })} <Cross />
            </Button>
          )}
          {tenant !== null && (
            <Button small onPress={() => set('tenant', '')}>
              {text('trail.in', { name: nameOfTenantIn(events, tenant) })} <Cross />
            </Button>
          )}
          {by !== null && (
            <Button small onPress={() => set('by', '')}>
              {text('trail.allowed-by', { what: by })} <Cross />
            </Button>
          )}
          <Button
            small
            look="quiet"
            onPress={() => {
              setSearch({});
              setClears(clears + 1); // the search is empty, too
            }}
          >
            {text('trail.clear')}
          </Button>
        </div>
      )}
    </>
  );
}

function nameOfActorIn(events: readonly TrailEvent[], id: string, me: string | undefined): string {
  const event = events.find(({ actorId }) => actorId === id);
  return event ? nameOfActor(event, me) : text('unknown-person', { id: id.slice(-6) });
}

function nameOfTenantIn(events: readonly TrailEvent[], id: string): string {
  const event = events.find(({ tenantId }) => tenantId === id);
  return event?.tenantName ?? `…${id.slice(-6)}`;
}

function nameOfSubjectIn(events: readonly TrailEvent[], path: string): string {
  const event = events.find(({ subject }) => subject === path);
  return (event && nameOfSubject(event)) ?? path;
}

/**
 * Adds to the address what is pressed in the list, and keeps the other filters.
 * @returns handlers of a list of events
 */
export function useChosenInTrail() {
  const [, setSearch] = useSearchParams();
  const choose = (name: 'actor' | 'subject' | 'by' | 'tenant') => (value: string) =>
    setSearch(
      (others) => new URLSearchParams([...others].filter(([key]) => key !== name).concat([[name, value]])),
    );
  return {
    onActor: choose('actor'),
    onSubject: choose('subject'),
    onAllowedBy: choose('by'),
    onTenant: choose('tenant'),
  };
}

/** Actions of people and of the platform, which no organization records. */
const OF_OTHERS =
  /^event\.(?:account|api|operator|person|platform-account|platform-agent-policy|platform-key|satellite|session)\./;

const byText = (options: [string, string][]): [string, string][] => {
  const { compare } = new Intl.Collator(intlLocale());
  return options.toSorted(([, one], [, other]) => compare(one, other));
};

/** Groups of actions that happen in an organization: first parts of their names. */
const GROUPS = [
  'access-request',
  'agent',
  'agent-policy',
  'branding',
  'client',
  'client-api',
  'connection',
  'directory',
  'domain',
  'impersonation',
  'invitation',
  'key',
  'key-policy',
  'member',
  'membership',
  'partnership',
  'role',
  'service-account',
  'setup-link',
  'sign-in-policy',
  'station',
  'support-access',
  'tenant',
  'thing',
  'trust-rule',
  'webhook',
  'worker',
] as const;

const groups = (): [string, string][] => [
  [ANY, text('trail.any-group')],
  ...byText(GROUPS.map((group) => [group, text(`trail.group.${group}`)])),
];

/** Actions of an organization, of a group or all, by their texts, and the chosen one. */
function actionsWith(chosen: string | null, group: string | null): [string, string][] {
  const known = byText(
    idsWith('event.')
      .filter((id) => !OF_OTHERS.test(id) && (group === null || id.startsWith(`event.${group}.`)))
      .map((id) => [id.replace('event.', ''), text(id)]),
  );
  const own: [string, string][] =
    chosen === null || known.some(([action]) => action === chosen) ? [] : [[chosen, textOf(chosen)]];
  return [[ANY, text('trail.any-action')], ...known, ...own];
}
