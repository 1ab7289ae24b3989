import { useMutation } from '@tanstack/react-query';
import { type MessageId, text } from '../messages/index.ts';
import { Button } from './button.tsx';
import { toCsv } from './csv.ts';
import { download } from './download.ts';
import { explain } from './explain.ts';
import { useToast } from './toast.tsx';

/** Most items of one file: fifty requests, far below the rate limit. */
const MAX_ITEMS = 5_000;
/** Items of each request. */
export const EXPORT_PAGE_SIZE = 100;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

interface Props<Item> {
  readonly readPage: (cursor: string | undefined) => Promise<Page<Item>>;
  readonly save: (items: readonly Item[]) => void;
  /** Messages with the argument `count`: all were saved, and the first or newest were. */
  readonly saved: readonly [whole: MessageId, capped: MessageId];
}

/** Saves what a list shows as a CSV file, page by page. */
export function CsvExport<Item>({ readPage, save, saved: [whole, capped] }: Props<Item>) {
  const say = useToast();
  const exporting = useMutation({
    mutationFn: async () => {
      const items: Item[] = [];
      let cursor: string | undefined;
      do {
        const page = await readPage(cursor);
        items.push(...page.items);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined && items.length < MAX_ITEMS);
      save(items);
      return { count: items.length, isWhole: cursor === undefined };
    },
    onSuccess: ({ count, isWhole }) => say(text(isWhole ? whole : capped, { count })),
    onError: (error) => {
      const { title, text: detail } = explain(error);
      say(`${title}. ${detail}`);
    },
  });
  return (
    <Button isPending={exporting.isPending} onPress={() => exporting.mutate()}>
      {text('trail.export')}
    </Button>
  );
}

/** Saves rows as a CSV file that has the day in its name. */
export const saveCsv = (name: string, head: readonly string[], rows: readonly (readonly string[])[]): void =>
  download(`${name}-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv', toCsv([head, ...rows]));
