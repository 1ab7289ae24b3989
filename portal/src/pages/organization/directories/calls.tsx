import { text } from '../../../messages/index.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Empty } from '../../../ui/list.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useCalls, type Call, type Directory } from './directory-queries.ts';

const FIRST_REFUSAL = 400;

interface Props {
  readonly tenantId: string;
  readonly directory: Directory;
}

/** Lists the calls of a directory as they come, newest first, with the reason of each refusal. */
export function Calls({ tenantId, directory: { id } }: Props) {
  const calls = useCalls(tenantId, id);
  return (
    <section className="stack" aria-labelledby="directory-calls">
      <h2 id="directory-calls">{text('directories.calls')}</h2>
      <p className="soft small">{text('directories.calls.text')}</p>
      <Table
        query={calls}
        label={text('directories.calls')}
        keyOf={(call) => call.id}
        columns={columnsOf()}
        empty={<Empty title={text('directories.calls.empty')} lead={text('directories.calls.empty.text')} />}
      />
    </section>
  );
}

const columnsOf = (): Column<Call>[] => [
  {
    key: 'name',
    label: text('directories.call'),
    cell: (call) => (
      <>
        <code title={call.path}>
          {call.method} {call.path}
        </code>
        <span className="under">
          <Time value={call.at} />
        </span>
        {call.detail !== null && <span className="under">{reasonOf(call)}</span>}
      </>
    ),
  },
  {
    key: 'status',
    label: text('members.status'),
    cell: ({ status }) => (status < FIRST_REFUSAL ? status : <Badge kind="bad">{status}</Badge>),
  },
  {
    key: 'reason',
    label: text('directories.reason'),
    isWide: true,
    cell: (call) => <span title={reasonOf(call)}>{reasonOf(call) || '–'}</span>,
  },
  {
    key: 'at',
    label: text('directories.call-at'),
    isWide: true,
    cell: ({ at }) => <Time value={at} exact />,
  },
];

/** Why a call was refused; empty if it was not. */
const reasonOf = ({ detail, scimType }: Call): string =>
  [scimType, detail].filter((part) => part !== null).join(': ');
