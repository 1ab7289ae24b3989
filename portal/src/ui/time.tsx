import { intlLocale, text } from '../messages/index.ts';

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const formatsOf = (locale: string) => ({
  relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }),
  absolute: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
});
const formats = new Map<string, ReturnType<typeof formatsOf>>();

function formatsHere() {
  const locale = intlLocale();
  const known = formats.get(locale) ?? formatsOf(locale);
  formats.set(locale, known);
  return known;
}

interface Props {
  readonly value: string;
  /** Shows the exact time too, where it is evidence. */
  readonly exact?: boolean;
}

/** Shows a relative time; the exact one as a tooltip, or next to it. */
export function Time({ value, exact = false }: Props) {
  const date = new Date(value);
  const absolute = formatsHere().absolute.format(date);
  return (
    <time dateTime={value} title={absolute}>
      {exact ? `${absolute} (${formatAge(date)})` : formatAge(date)}
    </time>
  );
}

function formatAge(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1_000;
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length * (seconds > 0 ? 0.98 : 1));
  const round = seconds > 0 ? Math.round : Math.trunc; // what expires after 7 days expires “in 7 days”
  return step ? formatsHere().relative.format(round(seconds / step[1]), step[0]) : text('time.now');
}
