import { OwnService } from '../own-service.mjs';

/** A journey over HTTP against a fresh service, which prints each request and answer. */
export class Tour {
  #service;
  #failures = 0;

  constructor(service) {
    this.#service = service;
  }

  /**
   * Runs a journey.
   * @param walk takes the tour; its `program` returns the path of another program than the service
   * @returns exit code: 0 if each answer was the expected one
   */
  static async run(walk) {
    const program = await walk.program?.();
    const launched = (command) => (program === undefined ? command : [...command.slice(0, -1), program]);
    const service = await OwnService.start({}, { launched });
    const tour = new Tour(service);
    try {
      await walk(tour);
    } finally {
      await service.stop();
    }
    print(
      tour.#failures === 0
        ? '\nEvery answer was the expected one.'
        : `\n${tour.#failures} answers were not the expected ones.`,
    );
    return tour.#failures === 0 ? 0 : 1;
  }

  /** Origin of the service. */
  get base() {
    return this.#service.base;
  }

  /** Sends a request and prints it with its answer. @returns the body of the answer */
  call = async (expected, method, path, body, token) => {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    const answer = text === '' ? null : JSON.parse(text);
    const limits = `${response.headers.get('x-ratelimit-remaining')} of ${response.headers.get('x-ratelimit-limit')} left`;
    print(`\n${method} ${path}${token ? '  (signed in)' : ''}`);
    if (body) print(indent(body));
    print(
      `  → ${response.status} ${response.statusText}  [${limits}]${response.status === expected ? '' : `  expected ${expected}`}`,
    );
    if (answer) print(indent(answer));
    if (response.status !== expected) this.#failures += 1;
    return answer ?? {};
  };

  /** Prints the title of what follows. */
  step = (title) => {
    print(`\n\n━━ ${title} ${'━'.repeat(Math.max(3, 60 - title.length))}`);
  };

  /** Prints a remark, and counts it as a failure unless it is true. */
  says = (remark, isTrue) => {
    print(`\n${isTrue ? '✓' : '✗'} ${remark}`);
    if (!isTrue) this.#failures += 1;
  };

  /** Returns the token of the link in the next unread mail. */
  mailedToken = async (to) => {
    const { subject, token } = await this.#service.nextMail(to);
    print(`\n✉  ${subject}`);
    return token;
  };

  /** Waits for the next unread mail without a link, and prints its subject. */
  notice = async (to) => {
    const { subject } = await this.#service.nextMail(to, { withLink: false });
    print(`\n✉  ${subject}`);
  };
}

function indent(value) {
  const short = (_key, item) =>
    typeof item === 'string' && item.length > 70 ? `${item.slice(0, 60)}…` : item;
  return JSON.stringify(value, short, 2).replace(/^/gm, '    ');
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
