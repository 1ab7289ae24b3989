const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Shows a relative time; the exact one as a tooltip. */
export function Time({ value }: { readonly value: string }) {
  const date = new Date(value);
  return (
    <time dateTime={value} title={absolute.format(date)}>
      {formatAge(date)}
    </time>
  );
}

function formatAge(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1_000;
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  return step ? relative.format(Math.trunc(seconds / step[1]), step[0]) : 'just now';
}
