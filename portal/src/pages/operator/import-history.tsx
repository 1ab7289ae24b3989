import { Link } from 'wouter';
import type { components } from '@gatehouse/client';
import { intlLocale, rich, text } from '../../messages/index.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { useMe } from '../../session/queries.ts';
import { Empty } from '../../ui/list.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useImports } from './operator-queries.ts';

type ImportRun = components['schemas']['ImportRunResponse'];

/** Imports of all operators, newest first. */
export function ImportHistory() {
  const imports = useImports();
  const { data: me } = useMe();
  const own = new URLSearchParams({ actor: me?.id ?? '', action: 'operator.people-imported' });
  const count = (value: number) => value.toLocaleString(intlLocale());
  const columns: readonly Column<ImportRun>[] = [
    {
      key: 'file',
      label: text('operator.imports.file'),
      cell: ({ fileName, updatedAt }) => (
        <>
          <span title={fileName}>{fileName}</span>
          <span className="under">
            <Time value={updatedAt} />
          </span>
        </>
      ),
    },
    {
      key: 'by',
      label: text('operator.imports.history.by'),
      isWide: true,
      cell: ({ operatorId, operatorName }) =>
        operatorName ??
        text(operatorId === null ? 'operator.imports.history.command' : 'operator.imports.history.program'),
    },
    {
      key: 'at',
      label: text('operator.imports.history.at'),
      isWide: true,
      cell: ({ updatedAt }) => <Time value={updatedAt} />,
    },
    {
      key: 'imported',
      label: text('operator.imports.history.imported'),
      cell: ({ imported }) => count(imported),
    },
    {
      key: 'invited',
      label: text('operator.imports.history.invited'),
      isWide: true,
      cell: ({ invited }) => count(invited),
    },
    {
      key: 'unchanged',
      label: text('operator.imports.history.unchanged'),
      isWide: true,
      cell: ({ unchanged }) => count(unchanged),
    },
    { key: 'failed', label: text('operator.imports.history.failed'), cell: ({ failed }) => count(failed) },
  ];
  return (
    <section className="stack" aria-labelledby="import-history">
      <h2 id="import-history">{text('operator.imports.history')}</h2>
      <p className="soft small">
        {rich('operator.imports.history.lead', {
          link: (inside) => <Link href={`${PAGE_PATHS.operatorTrail}?${own}`}>{inside}</Link>,
        })}
      </p>
      <Table
        query={imports}
        label={text('operator.imports.history')}
        empty={<Empty title={text('operator.imports.history.none')} />}
        keyOf={({ id }) => id}
        columns={columns}
      />
    </section>
  );
}
