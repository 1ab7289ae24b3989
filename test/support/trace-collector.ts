import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
}
interface RawSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status: { readonly code?: number };
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: RawSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

/** A collector of traces that accepts OTLP over HTTP in JSON, and keeps everything. */
export class TraceCollector {
  /** Every export, in order of arrival. */
  readonly bodies: string[] = [];
  private server: Server;

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector();
    collector.server = createServer((request, response) => {
      void text(request).then((body) => {
        if (request.method === 'POST' && request.url === '/v1/traces') collector.bodies.push(body);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get spans(): {
    attributes: Record<string, unknown>;
    name: string;
    spanId: string;
    traceId: string;
    parentSpanId?: string;
    failed: boolean;
  }[] {
    return this.exports.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) =>
          spans.map((span) => ({
            ...span,
            attributes: plain(span.attributes),
            failed: span.status.code === 2,
          })),
        ),
      ),
    );
  }

  get resources(): Record<string, unknown>[] {
    return this.exports.flatMap(({ resourceSpans }) =>
      resourceSpans.map(({ resource }) => plain(resource.attributes)),
    );
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private get exports(): Export[] {
    return this.bodies.map((body) => JSON.parse(body) as Export);
  }
}

function plain(attributes: RawSpan['attributes']): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}
