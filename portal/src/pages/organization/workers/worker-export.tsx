import { gatehouse } from '../../../session/gatehouse.ts';
import { CsvExport, EXPORT_PAGE_SIZE, saveCsv } from '../../../ui/csv-export.tsx';
import { ALL, type Worker, type WorkerFilter } from './worker-queries.ts';

const HEAD = ['number', 'firstName', 'lastName', 'email', 'userId', 'roles', 'status', 'badge', 'pin'].concat(
  'lastSignInAt',
  'until',
);

/** Row of a CSV file, in the order of {@link HEAD}. */
const rowOf = ({ number, firstName, lastName, email, userId, ...worker }: Worker): string[] => [
  number,
  firstName ?? '',
  lastName ?? '',
  email ?? '',
  userId,
  worker.roles.join(' '),
  worker.status,
  worker.badge === null ? '' : 'issued',
  worker.pinLocked ? 'locked' : worker.hasPin ? 'set' : '',
  worker.lastSignInAt ?? '',
  worker.until ?? '',
];

export const saveWorkers = (workers: readonly Worker[]): void => saveCsv('workers', HEAD, workers.map(rowOf));

interface Props {
  readonly tenantId: string;
  readonly filter: WorkerFilter;
}

/** Saves the workers that the filter shows as a CSV file. */
export const WorkerExport = ({ tenantId, filter }: Props) => (
  <CsvExport
    readPage={async (cursor) => {
      const query = { ...filter, limit: EXPORT_PAGE_SIZE, cursor };
      return (await gatehouse.get(ALL, { params: { path: { id: tenantId }, query } })).data;
    }}
    save={saveWorkers}
    saved={['workers.exported', 'workers.export-capped']}
  />
);
