import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A service of compose.yaml, as far as this project uses the Compose specification. */
export interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly restart?: string;
}

/** Options of podman for each key; none where the check does it. Other keys fail the check. */
const OPTIONS: Readonly<{
  [Key in keyof Required<Service>]: (value: NonNullable<Service[Key]>) => string[];
}> = {
  image: () => [],
  build: () => [],
  command: () => [],
  depends_on: () => [],
  healthcheck: () => [],
  stop_grace_period: () => [],
  // A restart would hide a crash.
  restart: () => [],
  ports: (ports) => ports.flatMap((port) => ['--publish', port]),
  environment: (variables) =>
    Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  // Podman would keep /tmp and /run writable.
  read_only: (flag) => (flag ? ['--read-only', '--read-only-tmpfs=false'] : []),
  cap_drop: (names) => names.flatMap((name) => ['--cap-drop', name]),
  security_opt: (options) => options.flatMap((option) => ['--security-opt', option]),
  volumes: (volumes) => volumes.flatMap((volume) => ['--volume', volume]),
};

/** @returns the services of compose.yaml, with these values or the defaults for its variables */
export function readServices(variables: Readonly<Record<string, string>>): Record<string, Service> {
  const reviver = (_key: unknown, value: unknown): unknown =>
    typeof value === 'string' ? interpolated(value, variables) : value;
  return (parse(readFileSync('compose.yaml', 'utf8'), reviver) as { services: Record<string, Service> })
    .services;
}

/** Replaces `${NAME:-default}` and `${NAME:?message}`. */
function interpolated(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(
    /\$\{(\w+):([?-])([^}]*)\}/g,
    (_expression, name: string, kind: string, rest: string) => {
      const value = variables[name] ?? (kind === '-' ? rest : undefined);
      if (value === undefined) throw new Error(`compose.yaml needs ${name}: ${rest}.`);
      return value;
    },
  );
}

/** @returns the words for `podman run` that start the service */
export function wordsOf(service: Service): string[] {
  const options = Object.entries(service).flatMap(([key, value]) => {
    const words = OPTIONS[key as keyof Service] as ((value: unknown) => string[]) | undefined;
    if (words === undefined) throw new Error(`The check does not know "${key}" of compose.yaml.`);
    return words(value);
  });
  return [...options, imageOf(service), ...(service.command ?? [])];
}

/** @returns the words of a health check, for `podman exec` */
export function healthCheckOf([kind, ...words]: readonly string[]): string[] {
  return kind === 'CMD-SHELL' ? ['sh', '-c', ...words] : words;
}

function imageOf({ image }: Service): string {
  if (image === undefined) return 'localhost/gatehouse';
  return `docker.io/${image.includes('/') ? image : `library/${image}`}`;
}
